import type { Controller, ControllerEvents, RequestEvent } from '@roundtable/core'
import { Causes } from './causes.js'
import { argsOf, type Call, type Edit, type Target } from './domain.js'
import type { Model } from './model/model.js'
import type { Fault, More, Request, Server } from './server.js'
import { Wrong } from './wrong.js'

/** An answer on its way to the client. */
interface Arriving {
  readonly request: Request
  readonly data: unknown
  /** What the answer tells beside itself. */
  readonly more: More | undefined
  /** The model's moment of the edit's completion. */
  readonly done: number
}

/** The line between the client and the server: it tells the model what the client begins, and what reaches it. */
export class Wire {
  readonly #server: Server
  readonly #model: Model
  readonly #onWrong: (wrong: Error) => void
  /** Requests that the client has begun and not sent yet. */
  readonly #unsent: { readonly id: number; readonly key: string }[] = []
  readonly #arriving = new Map<number, Arriving>()
  /**
   * Requests sent when the last edit had settled, and before the step in which it did: some follow from its very
   * settling.
   */
  #barrier = { late: 0, early: 0 }
  #sentBefore = 0
  readonly #causes = new Causes()
  /** Requests sent so far. */
  sent = 0

  constructor(server: Server, model: Model, onWrong: (wrong: Error) => void) {
    this.#server = server
    this.#model = model
    this.#onWrong = onWrong
  }

  listenTo(controller: Controller): void {
    this.#causes.listenTo(controller)
    controller.on('fetch', (request) => this.#began(request))
    controller.on('settle', (request) => this.#settled(request))
  }

  /** What endpoints call: a request goes to the server. */
  readonly send = (call: Call, key: string, signal: AbortSignal | undefined): Promise<unknown> => {
    const at = this.#unsent.findLastIndex((begun) => begun.key === key)
    const [begun] = this.#unsent.splice(at, 1)
    const id = begun?.id ?? 0
    this.#model.sent(id, call)
    const sent = this.#server.send(call, id, signal)
    const request = this.#server.requests.at(-1) as Request
    this.sent = request.number
    if (call.type === 'read') this.#checkAlone(call.target)
    return sent
  }

  beginStep(): void {
    this.#causes.check()
    this.#sentBefore = this.sent
  }

  /** Something reaches the client: the answer, or what a fault makes of it. */
  deliver(request: Request, fault: Fault): void {
    const answer = this.#server.answerTo(request, fault)
    if ('data' in answer) {
      const { data } = answer
      const more = this.#server.more.get(Object(data))
      this.#arriving.set(request.id, { request, data, more, done: this.#model.now() })
    }
    this.#server.deliver(request, answer, fault)
  }

  #began({ id, key, endpoint, args }: RequestEvent): void {
    const isExpected = endpoint.getOptimisticResponse !== undefined && endpoint.name !== 'probe'
    this.#model.begin(id, isExpected ? (args[1] as Edit) : undefined)
    this.#unsent.push({ id, key })
  }

  #settled({ id, endpoint, error, cause }: ControllerEvents['settle']): void {
    const arrived = this.#arriving.get(id)
    if (error !== undefined) this.#model.failed(id, error, cause)
    else if (arrived !== undefined) {
      this.#model.answered(id, arrived.request.call, arrived.data, arrived.done)
      if (arrived.more !== undefined) this.#model.toldBeside(id, arrived.more.target, arrived.more.data)
    }
    this.#model.end(id)
    if (endpoint.sideEffect === true) this.#barrier = { late: this.sent, early: this.#sentBefore }
  }

  /** True if a read of it is under way that is younger than the last settled edit. */
  hasYoung(target: Target): boolean {
    return this.#younger(this.#barrier.early, target).length > 0
  }

  #younger(barrier: number, target: Target): Request[] {
    const key = JSON.stringify(argsOf(target))
    return this.#server.open.filter(({ number, call }) => {
      if (number <= barrier || call.type !== 'read' || call.target.read !== target.read) return false
      return JSON.stringify(argsOf(call.target)) === key
    })
  }

  /** Of such reads, each key has one at most. */
  #checkAlone(target: Target): void {
    if (this.#younger(this.#barrier.late, target).length > 1)
      this.#onWrong(new Wrong(`two reads of ${JSON.stringify(target)} under way`))
  }
}
