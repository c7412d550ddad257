import { recordedSession } from '../recorded-session.js'
import { parseRecording } from '../recording.js'
import type { Session, Simulation } from '../session.js'
import type { LogEvent } from '../story.js'
import { h, icon } from './dom.js'
import { outboxView } from './outbox-view.js'
import { keepPreferences, readPreferences } from './preferences.js'
import { layersView, readersView, requestsView } from './simple-views.js'
import { STYLES } from './styles.js'
import { TableView } from './table-view.js'
import { TimelineView } from './timeline-view.js'
import type { PanelHost, PanelView } from './view.js'

const TAG = 'roundtable-devtools'
/** The height of the docked panel, for full-height layouts. */
const ROOM = '--roundtable-devtools-height'
/** The time between two drawings in ms. */
const PAUSE = 100
const THEMES = ['', 'light', 'dark'] as const
const NETWORKS: Readonly<Record<string, Simulation | undefined>> = {
  'Real network': undefined,
  'Slow: +2 s': { delay: 2_000 },
  'Failing: 500': { status: 500 },
  Offline: { offline: true },
}

const ICONS = {
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  go: 'M5 3.5v9l7-4.5z',
  clear: 'M3.5 4.5h9M6.5 4.5v-2h3v2M5 4.5l.6 9h4.8l.6-9',
  save: 'M8 2.5v7.5M5 7l3 3 3-3M3 13.5h10',
  load: 'M8 10V2.5M5 5.5l3-3 3 3M3 13.5h10',
  theme: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11M9.5 3v10M11.5 4v8',
  float: 'M2.5 2.5h8v8h-8zM10.5 5.5h3v8h-8v-3',
  window: 'M6.5 3h-4v10.5H13v-4M9 2.5h4.5V7M13.5 2.5 7.5 8.5',
  close: 'M4 4l8 8M12 4l-8 8',
}

interface PictureInPicture {
  requestWindow(size: { readonly width: number; readonly height: number }): Promise<Window>
}

/** The panel: one custom element for every framework. It draws at most ten times a second, and only visible parts. */
export class DevtoolsElement extends HTMLElement implements PanelHost {
  /** Creates a panel, and defines the custom element the first time. */
  static create(): DevtoolsElement {
    if (customElements.get(TAG) === undefined) customElements.define(TAG, DevtoolsElement)
    // The name is defined for this class only.
    return document.createElement(TAG) as DevtoolsElement
  }

  readonly #root = this.attachShadow({ mode: 'open' })
  readonly #body = h('div', { class: 'view' })
  readonly #status = h('p', { class: 'status', role: 'status' })
  readonly #tabs = new Map<string, HTMLButtonElement>()
  readonly #tabList = h('div', {
    class: 'tabs',
    role: 'tablist',
    'aria-label': 'Views',
    onkeydown: (event: KeyboardEvent) => this.#tabPressed(event),
  })
  readonly #search = h('input', {
    type: 'search',
    placeholder: 'Search',
    'aria-label': 'Search',
    oninput: () => this.#draw(),
  })
  readonly #sessions = h('select', {
    'aria-label': 'Controller',
    onchange: () => {
      const chosen = globalThis.__ROUNDTABLE__?.get(this.#sessions.value)
      if (chosen !== undefined) this.session = chosen
    },
  })
  #views: Readonly<Record<string, PanelView>> = {}
  #table: TableView | undefined = undefined
  #timeline: TimelineView | undefined = undefined
  #session: Session | undefined = undefined
  #shown = 'Timeline'
  #stop: (() => void) | undefined = undefined
  #frame = 0
  #drawTimer: ReturnType<typeof setTimeout> | undefined = undefined
  #statusTimer: ReturnType<typeof setTimeout> | undefined = undefined
  #isPaused = false
  /** The page that makes room for the docked panel. */
  #page: HTMLElement | undefined = undefined
  readonly #resized = new ResizeObserver(() => this.#makeRoom())

  static readonly observedAttributes: readonly string[] = ['place']

  get session(): Session {
    if (this.#session === undefined) throw new Error('The panel has no session: set its `session`.')
    return this.#session
  }

  set session(session: Session) {
    if (session === this.#session) return
    this.#stop?.()
    this.#session = session
    this.#views = {}
    this.#table = undefined
    if (this.isConnected) this.connectedCallback()
  }

  get search(): string {
    return this.#search.value.toLowerCase()
  }

  connectedCallback(): void {
    if (this.#session === undefined) return
    this.#useStyles()
    if (this.#table === undefined) this.#makeViews()
    if (this.#root.childElementCount === 0) {
      this.#usePreferences()
      this.#root.append(this.#frameOf())
    }
    this.#stop?.()
    this.#stop = this.#session.subscribe(() => this.#schedule())
    this.#resized.observe(this)
    this.#makeRoom()
    this.show(this.#shown)
    this.#drawSessions()
    this.say('')
  }

  #usePreferences(): void {
    const { height, theme } = readPreferences()
    if (height !== undefined) this.#setHeight(height)
    if (theme && !this.hasAttribute('theme')) this.setAttribute('theme', theme)
  }

  #makeViews(): void {
    this.#table = new TableView(this)
    this.#timeline = new TimelineView(this)
    this.#views = {
      Timeline: this.#timeline,
      Table: this.#table,
      Requests: requestsView(this),
      Layers: layersView(this),
      Readers: readersView(this),
      ...(this.session.outbox && { Outbox: outboxView(this) }),
    }
    this.#makeTabs()
  }

  /** Creates the tabs. Only a controller with an outbox has a tab for it. */
  #makeTabs(): void {
    this.#tabs.clear()
    for (const name of Object.keys(this.#views)) {
      this.#tabs.set(name, h('button', { type: 'button', role: 'tab', onclick: () => this.show(name) }, name))
    }
    this.#tabList.replaceChildren(...this.#tabs.values())
    if (!this.#tabs.has(this.#shown)) this.#shown = 'Timeline'
  }

  disconnectedCallback(): void {
    this.#stop?.()
    this.#stop = undefined
    cancelAnimationFrame(this.#frame)
    clearTimeout(this.#drawTimer)
    this.#drawTimer = undefined
    this.#resized.disconnect()
    this.#makeRoom()
  }

  attributeChangedCallback(): void {
    this.#makeRoom()
  }

  /** Ends the page above the docked panel, so that all of its content is accessible. */
  #makeRoom(): void {
    const isDocked = this.isConnected && this.getAttribute('place') === 'dock'
    const page = isDocked ? this.ownerDocument.documentElement : undefined
    if (page !== this.#page) {
      this.#page?.style.removeProperty('padding-block-end')
      this.#page?.style.removeProperty(ROOM)
      this.#page = page
    }
    page?.style.setProperty('padding-block-end', `${this.offsetHeight}px`)
    page?.style.setProperty(ROOM, `${this.offsetHeight}px`)
  }

  /** Adds the styles again when the panel moves to its own window, since a style sheet belongs to one document. */
  adoptedCallback(): void {
    this.#useStyles()
  }

  /** Focuses the list of the shown view. */
  focusPanel(): void {
    this.#body.querySelector<HTMLElement>('.list')?.focus()
  }

  /** Shows a view by its name. */
  show(name: string): void {
    const view = this.#views[name]
    if (view === undefined) return
    this.#shown = name
    for (const [other, tab] of this.#tabs) {
      tab.setAttribute('aria-selected', `${other === name}`)
      tab.tabIndex = other === name ? 0 : -1
    }
    this.#body.replaceChildren(view.element)
    view.update()
    if (this.session.isDisposed) this.say('')
  }

  goToRow(kind: string, pk: string): void {
    this.#search.value = ''
    this.show('Table')
    this.#table?.show(kind, pk)
  }

  readonly goToEvent = (id: number): void => {
    this.#search.value = ''
    this.show('Timeline')
    this.#timeline?.show(id)
  }

  goToCommit(event: LogEvent): void {
    this.#search.value = ''
    this.show('Timeline')
    this.#timeline?.select(event)
  }

  readonly say = (text: string): void => {
    this.#status.textContent = text
    clearTimeout(this.#statusTimer)
    const lasting = this.#session?.isDisposed ? 'This controller was disposed: nothing more will happen.' : ''
    if (text === '') this.#status.textContent = lasting
    else this.#statusTimer = setTimeout(() => this.say(''), 6_000)
  }

  #schedule(): void {
    if (this.#drawTimer !== undefined || this.#isPaused) return
    // A list that moves in each frame is unreadable, and the page needs its frames.
    this.#drawTimer = setTimeout(() => {
      this.#drawTimer = undefined
      this.#frame = requestAnimationFrame(() => this.#draw())
    }, PAUSE)
  }

  #draw(): void {
    this.#views[this.#shown]?.update()
    this.#drawSessions()
  }

  /** Draws the choice of sessions on a page with several controllers. */
  #drawSessions(): void {
    const { name } = this.session
    const names = [...new Set([name, ...(globalThis.__ROUNDTABLE__?.keys() ?? [])])]
    const text = JSON.stringify([name, names])
    if (this.#sessions.dataset.text === text) return
    this.#sessions.dataset.text = text
    this.#sessions.hidden = names.length < 2
    this.#sessions.replaceChildren(...names.map((one) => h('option', {}, one)))
    this.#sessions.value = name
  }

  #useStyles(): void {
    const { CSSStyleSheet: Sheet } = this.ownerDocument.defaultView ?? window
    const sheet = new Sheet()
    sheet.replaceSync(STYLES)
    this.#root.adoptedStyleSheets = [sheet]
  }

  // — the frame —

  #frameOf(): HTMLElement {
    const grip = h('div', {
      class: 'grip',
      role: 'separator',
      tabindex: 0,
      'aria-orientation': 'horizontal',
      'aria-label': 'Height',
      onpointerdown: (event: PointerEvent) => this.#resize(event),
      onkeydown: (event: KeyboardEvent) => this.#resizeByKey(event),
    })
    const head = h(
      'div',
      { class: 'head' },
      this.#tabList,
      h('div', { class: 'tools' }, this.#sessions, this.#search, ...this.#controls()),
    )
    return h(
      'section',
      {
        class: 'panel',
        'aria-label': 'Roundtable devtools',
        onkeydown: (event: KeyboardEvent) => this.#pressed(event),
      },
      grip,
      head,
      this.#body,
      this.#status,
    )
  }

  #controls(): HTMLElement[] {
    const network = h(
      'select',
      { 'aria-label': 'Simulated network' },
      ...Object.keys(NETWORKS).map((name) => h('option', {}, name)),
    )
    network.addEventListener('change', () => {
      this.#try(() => this.session.simulate(NETWORKS[network.value]))
    })
    const pause = this.#icon(ICONS.pause, 'Pause', () => {
      this.#isPaused = !this.#isPaused
      pause.setAttribute('aria-pressed', `${this.#isPaused}`)
      pause.replaceChildren(icon(this.#isPaused ? ICONS.go : ICONS.pause))
      this.#draw()
    })
    return [
      network,
      pause,
      this.#icon(ICONS.clear, 'Clear the timeline', () => this.#try(() => this.session.clear())),
      this.#icon(ICONS.save, 'Export as JSON', () => this.#export(), 'icon wide'),
      this.#icon(ICONS.load, 'Show an export', () => this.#import(), 'icon wide'),
      this.#icon(ICONS.theme, 'Light, dark or as the system', () => this.#turnTheme()),
      ...(this.getAttribute('place') === 'fill'
        ? []
        : [
            this.#icon(
              ICONS.float,
              'Dock or float',
              () => this.setAttribute('place', this.getAttribute('place') === 'dock' ? 'float' : 'dock'),
              'icon wide',
            ),
            this.#icon(ICONS.window, 'Open in a window', () => void this.#openWindow(), 'icon wide'),
            this.#icon(ICONS.close, 'Close', () => this.remove()),
          ]),
    ]
  }

  #icon(path: string, label: string, onclick: () => void, name = 'icon'): HTMLButtonElement {
    return h('button', { type: 'button', class: name, title: label, 'aria-label': label, onclick }, icon(path))
  }

  #try(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.say((error as Error).message)
    }
  }

  #turnTheme(): void {
    const next = THEMES[(THEMES.indexOf((this.getAttribute('theme') ?? '') as '') + 1) % THEMES.length]
    keepPreferences({ theme: next ?? '' })
    if (next) this.setAttribute('theme', next)
    else this.removeAttribute('theme')
    this.say(`Colours: ${next || 'as the system'}.`)
  }

  #tabPressed(event: KeyboardEvent): void {
    const names = [...this.#tabs.keys()]
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const next = names[(names.indexOf(this.#shown) + step + names.length) % names.length] as string
    this.show(next)
    this.#tabs.get(next)?.focus()
  }

  #pressed(event: KeyboardEvent): void {
    // Keys pressed in the panel must not trigger the page's own shortcuts.
    event.stopPropagation()
    const isTyping = event.target instanceof HTMLElement && /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
    if (event.key === 'Escape' && !isTyping && this.getAttribute('place') !== 'fill') this.remove()
    if (event.key === '/' && !isTyping) {
      event.preventDefault()
      this.#search.focus()
    }
  }

  #resize(event: PointerEvent): void {
    const grip = event.currentTarget as HTMLElement
    const bottom = this.getBoundingClientRect().bottom
    grip.setPointerCapture(event.pointerId)
    grip.onpointermove = ({ clientY }) => this.#setHeight(bottom - clientY)
    grip.onpointerup = () => {
      grip.onpointermove = null
    }
  }

  #resizeByKey(event: KeyboardEvent): void {
    const step = event.key === 'ArrowUp' ? 40 : event.key === 'ArrowDown' ? -40 : 0
    if (step === 0) return
    event.preventDefault()
    this.#setHeight(this.offsetHeight + step)
  }

  #setHeight(height: number): void {
    const within = Math.max(160, Math.min(height, this.#windowHeight()))
    this.style.setProperty('--height', `${within}px`)
    keepPreferences({ height: within })
  }

  #windowHeight(): number {
    return this.ownerDocument.defaultView?.innerHeight ?? Infinity
  }

  async #openWindow(): Promise<void> {
    const { documentPictureInPicture } = window as { documentPictureInPicture?: PictureInPicture }
    const size = { width: 900, height: 560 }
    const target = documentPictureInPicture
      ? await documentPictureInPicture.requestWindow(size).catch(() => null)
      : window.open('', 'roundtable-devtools', `width=${size.width},height=${size.height}`)
    if (target === null) {
      this.say('The browser did not allow a window.')
      return
    }
    const home = this.parentNode
    target.document.title = 'Roundtable devtools'
    target.document.body.append(this)
    this.setAttribute('place', 'window')
    target.addEventListener('pagehide', () => {
      this.setAttribute('place', 'dock')
      home?.append(this)
    })
  }

  // — recordings —

  #export(): void {
    const text = JSON.stringify(this.session.export(), undefined, 2)
    const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
    const link = h('a', { href: url, download: `roundtable-${this.session.name}.json` })
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), 1_000)
    this.say('Exported. The file contains the application’s data.')
  }

  #import(): void {
    const input = h('input', { type: 'file', accept: 'application/json,.json' })
    input.addEventListener('change', async () => {
      const text = await input.files?.[0]?.text()
      if (text !== undefined) this.#try(() => this.showRecording(text))
    })
    input.click()
  }

  /**
   * Shows the text of an export in place of the session.
   *
   * @throws DevtoolsError if the text is no export
   */
  showRecording(text: string): void {
    this.session = recordedSession(parseRecording(text))
    this.say(`Showing the recording ${this.session.name}.`)
  }
}
