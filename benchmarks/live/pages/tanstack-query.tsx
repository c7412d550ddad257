import { experimental_streamedQuery as streamedQuery } from '@tanstack/query-core'
import { QueryClient, QueryClientProvider, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Item, List, load, put, save, show } from './app.js'

// #region code
// The list first, and then what an `EventSource` brings, which connects again by itself.
async function* stream({ signal }: { signal: AbortSignal }): AsyncGenerator<Item[]> {
  yield await load()
  const source = new EventSource('/events')
  signal.addEventListener('abort', () => source.close())
  let wake = () => {}
  const waiting: Item[] = []
  source.addEventListener('changed', ({ data }) => {
    waiting.push(JSON.parse(data))
    wake()
  })
  while (!signal.aborted) {
    const item = waiting.shift()
    if (item) yield [item]
    else await new Promise<void>((resolve) => (wake = resolve))
  }
}

const queryKey = ['items']

function useItems() {
  return useQuery({
    queryKey,
    staleTime: Infinity,
    queryFn: streamedQuery<Item[], Item[]>({
      streamFn: stream,
      initialValue: [],
      reducer: (items, came) => (items.length === 0 ? came : came.reduce(put, items)),
    }),
  })
}

// As in its guide of optimistic updates. `cancelQueries` would end the stream.
function useEdit() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (title: string) => save(3, { title }),
    onMutate(title) {
      const before = client.getQueryData<Item[]>(queryKey)
      client.setQueryData<Item[]>(queryKey, (items = []) => put(items, { id: 3, title }))
      return { before }
    },
    onError: (_error, _title, context) => client.setQueryData(queryKey, context?.before),
    onSuccess: (item) => client.setQueryData<Item[]>(queryKey, (items = []) => put(items, item)),
  })
}

function Items() {
  const { data } = useItems()
  const { mutate } = useEdit()
  return <List items={data} edit={mutate} />
}
// #endregion code

show(
  <QueryClientProvider client={new QueryClient()}>
    <Items />
  </QueryClientProvider>,
)
