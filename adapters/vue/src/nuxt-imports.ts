/** The hooks that can be used without an import; those with a name that Nuxt uses itself, `useError` and `useFetch`, must be imported. */
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
