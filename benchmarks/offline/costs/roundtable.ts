import { Controller } from '@roundtable/core'
import { memoryLog, type OfflineLog, offline } from '@roundtable/core/offline'
import { type FlatRow, flatRow } from '../../node/data/flat.js'
import { seeded } from '../../node/data/random.js'
import { changeRows, ItemResource } from './busy.js'
import { cpu, finish, read, type Sample, sizeOf, write } from './sample.js'

/** How many records were written. */
let writes = 0

/** A log of which the bytes are counted. */
function counted(log: OfflineLog): { readonly log: OfflineLog; taken(): number } {
  let bytes = 0
  return {
    log: {
      ...log,
      append(entry, isDurable) {
        writes += 1
        bytes += sizeOf(entry.text)
        return log.append(entry, isDurable)
      },
    },
    taken() {
      const taken = bytes
      bytes = 0
      return taken
    },
  }
}

function open(own: OfflineLog, respond: () => unknown = () => []) {
  const store = offline({ log: own })
  const controller = new Controller({ managers: [store], transport: async () => Response.json(respond()) })
  return { store, controller, list: controller.watch(ItemResource.getList) }
}

/** The first response is stored, and then one field of one row. */
async function first(response: string): Promise<Sample> {
  const { log, taken } = counted(memoryLog())
  const { store, controller, list } = open(log, () => JSON.parse(response))
  const stop = list.subscribe(() => {})
  await store.ready
  await store.flush()
  await controller.fetch(ItemResource.getList)
  const all = await cpu(() => store.flush())
  const allBytes = taken()
  const [record] = await log.read(0)
  write(record?.text ?? '')
  const [row] = list.getSnapshot().data as readonly FlatRow[]
  controller.setResponse(ItemResource.get, { id: row?.id ?? '' }, { ...flatRow(seeded(1), '0'), ...row, title: 'x' })
  const one = await cpu(() => store.flush())
  stop()
  return { cpu: all, bytes: allBytes, changeCpu: one, changeBytes: taken() }
}

/** From the moment at which the log answers: as of the other library, making its client is not what is measured. */
async function restore(text: string): Promise<Sample> {
  const memory = memoryLog()
  await memory.append({ text }, true)
  let answer = (): void => {}
  const asked = new Promise<void>((resolve) => {
    answer = resolve
  })
  const log: OfflineLog = {
    ...memory,
    async read(after) {
      await asked
      return memory.read(after)
    },
  }
  const { store, list } = open(log)
  const ready = await cpu(() => {
    answer()
    return store.ready
  })
  let count = 0
  const readAll = await cpu(async () => {
    count = list.getSnapshot().data?.length ?? 0
  })
  return { cpu: ready, readCpu: readAll, count }
}

/**
 * A thousand rows change ten times a second, for ten seconds: the CPU time of this process, with what it stores or
 * without. `writes` is how many records were written, `log` how long the log is at the end.
 */
async function busy(isStored: boolean): Promise<Sample> {
  const memory = memoryLog()
  const { log, taken } = counted(memory)
  const store = offline({ log })
  const controller = new Controller({ managers: isStored ? [store] : [], transport: async () => Response.json([]) })
  const stop = controller.watch(ItemResource.getList).subscribe(() => {})
  if (isStored) await store.ready
  const taking = await cpu(() => changeRows(controller))
  stop()
  const records = await memory.read(0)
  return { cpu: taking, bytes: taken(), log: records.reduce((sum, { text }) => sum + sizeOf(text), 0), writes }
}

const [mode] = process.argv.slice(2)
if (mode === 'busy') finish(await busy(process.argv[3] === 'stored'))
finish(await (mode === 'restore' ? restore(read()) : first(read())))
