import { type Scenario, type Step, scenarios } from '../scenarios.js'
import { type App, type Mounted, rendered } from './app.js'
import { nextTask, Server } from './server.js'

/** What one run of a scenario took and caused. */
export interface Sample {
  /** Milliseconds from what was done to the change of the document, all steps together. */
  readonly changed: number
  /** Milliseconds to the end of the frame in which the last change was painted. */
  readonly painted: number
  /** Rows, cards and details that rendered. */
  readonly rendered: number
  readonly requests: number
}

/** What the program outside drives. */
export class Bench {
  readonly #app: App
  readonly #server = new Server()
  #scenario: Scenario | undefined
  #root = document.createElement('main')
  #mounted: Mounted | undefined

  constructor(app: App) {
    this.#app = app
    globalThis.fetch = this.#server.fetch
  }

  /** Mounts an app with an empty cache, and brings it to where a scenario begins. */
  async prepare(name: string, delay: number): Promise<void> {
    const scenario = scenarios.find((scenario) => scenario.name === name)
    if (scenario === undefined) throw new Error(`No scenario is called ${name}.`)
    this.#scenario = scenario
    this.#server.reset(scenario.count, delay)
    this.#root = document.body.appendChild(document.createElement('main'))
    this.#mounted = this.#app.mount(this.#root)
    this.#mounted.show(scenario.screen)
    await this.#settled()
    collect()
  }

  /** Does what the scenario says. */
  async act(): Promise<Sample> {
    const mounted = this.#mounted
    if (mounted === undefined || this.#scenario === undefined) throw new Error('Nothing is prepared.')
    rendered.count = 0
    this.#server.startCount()
    let changed = 0
    for (const step of this.#scenario.steps) changed += await this.#timed(step, mounted)
    const before = performance.now()
    await frame()
    const painted = changed + performance.now() - before
    await this.#settled()
    return { changed, painted, rendered: rendered.count, requests: this.#server.requests }
  }

  /** The text of the screen. */
  text(): string {
    const parts = [...this.#root.querySelectorAll<HTMLElement>('[data-part]')]
    return parts
      .map(({ dataset, innerText }) => `${dataset.part}: ${innerText.replaceAll(/\s+/g, ' ').trim()}`)
      .join('\n')
  }

  /** Shows the list of the scenario so many times, and then nothing. */
  async cycle(times: number): Promise<void> {
    for (let time = 0; time < times; time++) {
      this.#mounted?.show({ list: 'plain' })
      await this.#settled()
      this.#mounted?.show({})
      await this.#settled()
    }
  }

  async end(): Promise<void> {
    this.#mounted?.unmount()
    this.#mounted = undefined
    this.#root.remove()
    await frame()
  }

  #timed({ act, isDone }: Step, mounted: Mounted): Promise<number> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('The document did not change as it should.')), 120_000)
      const observer = new MutationObserver(() => {
        const now = performance.now()
        if (!isDone(this.#root)) return
        observer.disconnect()
        clearTimeout(late)
        resolve(now - start - (this.#server.spent - spent))
      })
      observer.observe(this.#root, { childList: true, subtree: true, characterData: true })
      const { spent } = this.#server
      const start = performance.now()
      act(mounted)
    })
  }

  /** Waits until every request is answered and nothing has changed for two frames. */
  async #settled(): Promise<void> {
    let hasChanged = false
    const observer = new MutationObserver(() => {
      hasChanged = true
    })
    observer.observe(this.#root, { childList: true, subtree: true, characterData: true })
    for (let quiet = 0; quiet < 2; quiet++) {
      await frame()
      if (hasChanged || !this.#server.isIdle) quiet = -1
      hasChanged = false
    }
    observer.disconnect()
  }
}

/**
 * Collects what is young and dead, so that it is not collected in the middle of what is timed. A whole collection would
 * throw away compiled code too.
 */
function collect(): void {
  const { gc } = globalThis as { readonly gc?: (options: { readonly type: 'minor' }) => void }
  gc?.({ type: 'minor' })
}

/** Ends when a frame has been painted. */
async function frame(): Promise<void> {
  await new Promise(requestAnimationFrame)
  await nextTask()
}
