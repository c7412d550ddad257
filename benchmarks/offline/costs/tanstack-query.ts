import { createAsyncStoragePersister } from '@tanstack/query-async-storage-persister'
import { persistQueryClientRestore, persistQueryClientSave } from '@tanstack/query-persist-client-core'
import { QueryClient } from 'query-core-of-persister'
import type { FlatRow } from '../../node/data/flat.js'
import { cpu, finish, read, type Sample, sizeOf, write } from './sample.js'

/** The persister of its guide, without the pause between two writes: what one write costs is measured. */
function open(stored: string | undefined) {
  let text = stored
  let bytes = 0
  const persister = createAsyncStoragePersister({
    throttleTime: 0,
    storage: {
      getItem: async () => text,
      setItem: async (_, value: string) => {
        text = value
        bytes += sizeOf(value)
      },
      removeItem: async () => {
        text = undefined
      },
    },
  })
  const taken = () => {
    const taken = bytes
    bytes = 0
    return taken
  }
  return { queryClient: new QueryClient(), persister, taken, text: () => text ?? '' }
}

async function first(response: string): Promise<Sample> {
  const { queryClient, persister, taken, text } = open(undefined)
  await queryClient.fetchQuery({ queryKey: ['items'], queryFn: () => JSON.parse(response) as readonly FlatRow[] })
  const all = await cpu(() => persistQueryClientSave({ queryClient, persister }))
  const allBytes = taken()
  write(text())
  queryClient.setQueryData<readonly FlatRow[]>(['items'], (rows = []) =>
    rows.map((row, i) => (i === 0 ? { ...row, title: 'x' } : row)),
  )
  const one = await cpu(() => persistQueryClientSave({ queryClient, persister }))
  return { cpu: all, bytes: allBytes, changeCpu: one, changeBytes: taken() }
}

async function restore(text: string): Promise<Sample> {
  const { queryClient, persister } = open(text)
  const ready = await cpu(() => persistQueryClientRestore({ queryClient, persister }))
  let count = 0
  const readAll = await cpu(async () => {
    count = queryClient.getQueryData<readonly FlatRow[]>(['items'])?.length ?? 0
  })
  return { cpu: ready, readCpu: readAll, count }
}

const [mode] = process.argv.slice(2)
finish(await (mode === 'restore' ? restore(read()) : first(read())))
