import { type ControllerOptions, Invalidate, poll } from '@roundtable/core'
import {
  type ConnectionStatus,
  connection,
  type LiveMessage,
  type LiveOptions,
  live,
  type WireContext,
} from '@roundtable/core/live'
import { settle } from '../engine/clock.js'
import { openBoard, Todo, Todos } from '../engine/todo-board.js'

/** One connection of a wire by hand. */
export class HandStream {
  readonly context: WireContext
  readonly #batches: (readonly LiveMessage[])[] = []
  /** How many batches were read. */
  read = 0
  #end: { readonly error?: unknown } | undefined = undefined
  #wake: () => void = () => {}

  constructor(context: WireContext) {
    this.context = context
  }

  get isAborted(): boolean {
    return this.context.signal.aborted
  }

  /** Messages come. */
  async send(...messages: LiveMessage[]): Promise<void> {
    this.#batches.push(messages)
    this.#wake()
    await settle()
  }

  /** The connection ends, or fails. */
  async cut(error?: unknown): Promise<void> {
    this.#end = { error }
    this.#wake()
    await settle()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly LiveMessage[], void> {
    for (;;) {
      const next = this.#batches.shift()
      if (next !== undefined) {
        this.read++
        yield next
      } else if (this.#end !== undefined) {
        if (this.#end.error !== undefined) throw this.#end.error
        return
      } else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}

/** A wire that the test sends by. */
export class HandWire {
  readonly streams: HandStream[] = []
  readonly wire = (context: WireContext): HandStream => {
    const stream = new HandStream(context)
    this.streams.push(stream)
    return stream
  }

  get last(): HandStream {
    const last = this.streams.at(-1)
    if (last === undefined) throw new Error('nothing has connected')
    return last
  }
}

const messages = { changed: Todo, created: Todos.push, deleted: new Invalidate(Todo), all: Todos }

/** A board whose list is kept up to date by a stream. */
export function openLive(options: Partial<LiveOptions> = {}, controllerOptions: ControllerOptions = {}) {
  const board = openBoard(controllerOptions)
  const hand = new HandWire()
  const source = live({ name: 'todos', url: 'https://api.test/events', wire: hand.wire, messages, ...options })
  const getLive = board.getTodos.extend(source)
  const { controller } = board
  const subscribe = (args: { readonly userId?: string } = {}): (() => void) =>
    controller.observe(poll, getLive, args).subscribe(() => {})
  return {
    ...board,
    hand,
    getLive,
    subscribe,
    // There are arguments, so it has one.
    status: (args = {}) => controller.observe(connection, getLive, args).getSnapshot() as ConnectionStatus,
    /** Reads the list as `useLive` does. */
    read(args: { readonly userId?: string } = {}) {
      const query = controller.watch(getLive, args)
      const stops = [query.subscribe(() => {}), subscribe(args)]
      return { query, stop: () => stops.forEach((stop) => void stop()) }
    },
    /** The rows that the list shows, in short. */
    shown(args: { readonly userId?: string } = {}) {
      return controller
        .peek(getLive, args)
        .getSnapshot()
        ?.map(({ id, title }) => `${id} ${title}`)
    },
  }
}

/** A board whose list was fetched, and whose stream is open: what was asked for before it has come twice. */
export async function openRead(
  options: Partial<LiveOptions> = {},
  rows: readonly object[] = [{ id: '1', title: 'one' }],
) {
  const board = openLive(options)
  const reading = board.read()
  await settle()
  await board.server.one('getTodos').answer(rows)
  await board.clock.advance(0)
  await board.hand.last.send({ type: 'opened', id: '0' })
  await settle()
  if (board.server.of('getTodos').length > 1) await board.server.one('getTodos', 1).answer(rows)
  return { ...board, reading }
}
