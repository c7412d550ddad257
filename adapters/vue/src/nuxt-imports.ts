/** The hooks that need no import. `useError` and `useFetch` do, since Nuxt has its own functions of these names. */
export const AUTO_IMPORTS: readonly string[] = [
  'useCache',
  'useCancelling',
  'useController',
  'useDLE',
  'useDebounce',
  'useFetching',
  'useLive',
  'useLoading',
  'useMutating',
  'usePages',
  'useQuery',
  'useSubscription',
  'useSuspense',
]
