import type { Controller } from '@roundtable/core'
import { connect, type Session } from '../session.js'
import { becauseOf, type LogEvent } from '../story.js'
import { follow } from './follow.js'
import { type VueTab, vueTab } from './vue-tab.js'

/** The part of `@vue/devtools-api` that is used. Its own types are those of its entry for Node, which does nothing. */
interface DevtoolsApi {
  addCustomTab(tab: VueTab): void
  onDevToolsClientConnected(listener: () => void): Promise<void>
  setupDevtoolsPlugin(descriptor: object, setup: (api: PluginApi) => void): void
}

interface PluginApi {
  addInspector(options: { readonly id: string; readonly label: string }): void
  addTimelineLayer(options: { readonly id: string; readonly label: string; readonly color: number }): void
  addTimelineEvent(options: { readonly layerId: string; readonly event: object }): void
  sendInspectorTree(id: string): void
  sendInspectorState(id: string): void
  readonly on: {
    getInspectorTree(handler: (payload: InspectorPayload) => void): void
    getInspectorState(handler: (payload: InspectorPayload) => void): void
  }
}

interface InspectorPayload {
  readonly inspectorId: string
  readonly filter?: string
  readonly nodeId?: string
  rootNodes?: object[]
  state?: object
}

/** How many rows of a kind the tree shows. */
const MOST = 500

/**
 * Adds the panel as a tab, the table as an inspector and the events as a layer of the timeline to Vue DevTools. `@vue/devtools-api` is
 * loaded when this is called: it must be installed. Does nothing on a server.
 *
 * @remarks
 * The tab needs Vue DevTools within the page, as `vite-plugin-vue-devtools` shows them. The browser extension and a window of their own
 * cannot reach the page: they show the inspector and the timeline.
 *
 * @example
 * ```ts
 * if (import.meta.env.DEV) await vuePlugin(app, controller)
 * ```
 */
export async function vuePlugin(app: object, controller: Controller): Promise<void> {
  if (typeof document === 'undefined') return
  // From this call on, not from when the package was loaded.
  const session = connect(controller)
  // It is optional, and heavy: only a call of this function loads it.
  const api = (await import('@vue/devtools-api')) as unknown as DevtoolsApi
  api.addCustomTab(vueTab(session))
  const suffix = session.name === 'default' ? '' : ` ${session.name}`
  const id = `roundtable${suffix}`
  const label = `Roundtable rows${suffix}`
  // The names of icons are known to Vue DevTools, which load no others without a network.
  const descriptor = { id, label, logo: 'i-carbon-grid', packageName: '@roundtable/devtools', app }
  let isSetUp = false
  api.setupDevtoolsPlugin(descriptor, (plugin) => {
    // Vue DevTools set up plugins at once that are added after the application was mounted, and once more when they are opened.
    if (isSetUp) return
    isSetUp = true
    plugin.addInspector({ id, label })
    plugin.addTimelineLayer({ id, label, color: 0x5b54e8 })
    plugin.on.getInspectorTree((payload) => {
      if (payload.inspectorId === id) payload.rootNodes = treeOf(session, payload.filter ?? '')
    })
    plugin.on.getInspectorState((payload) => {
      if (payload.inspectorId === id) payload.state = stateOf(session, payload.nodeId)
    })
    const tell = (news: readonly LogEvent[]): void => {
      for (const event of news) plugin.addTimelineEvent({ layerId: id, event: timelineEvent(event) })
      plugin.sendInspectorTree(id)
      plugin.sendInspectorState(id)
    }
    // It is not visible before.
    void api.onDevToolsClientConnected(() => {}).then(() => follow(session, tell))
  })
}

function treeOf(session: Session, filter: string): object[] {
  return session.tables().map(({ kind, count }) => ({
    id: JSON.stringify([kind]),
    label: `${kind} (${count})`,
    children: session
      .primaryKeys(kind)
      .filter((pk) => pk.includes(filter))
      .slice(0, MOST)
      .map((pk) => ({ id: JSON.stringify([kind, pk]), label: pk })),
  }))
}

function stateOf(session: Session, nodeId: string | undefined): object {
  const [kind = '', pk]: string[] = JSON.parse(nodeId || '[]')
  if (pk === undefined) return { rows: [{ key: 'count', value: session.primaryKeys(kind).length }] }
  const { value, levels = [] } = session.row(kind, pk) ?? {}
  const fields = Object.entries(typeof value === 'object' && value !== null ? value : {})
  return {
    row: fields.map(([key, shown]) => ({ key, value: shown })),
    ...(levels.length > 0 && {
      levels: levels.map(({ by, value: at }) => ({ key: by === 0 ? 'server' : `#${by}`, value: at })),
    }),
  }
}

function timelineEvent(event: LogEvent): object {
  const hasFailed = 'error' in event && event.error !== undefined
  return {
    time: event.at,
    title: 'key' in event ? (event.key ?? event.type) : event.type,
    subtitle: becauseOf(event),
    data: dataOf(event),
    logType: hasFailed ? 'error' : 'default',
    ...('id' in event && { groupId: event.id }),
  }
}

/** The data of an event for Vue DevTools. They copy it, so a commit comes without its observers. */
function dataOf(event: LogEvent): object {
  if (event.type !== 'commit') return { ...event }
  const { causes, readers, rows } = event.facts
  return { keys: event.keys, causes, readers, rows: rows() }
}
