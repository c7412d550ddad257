import type { Controller } from '@roundtable/core'
import { connect, type Session } from '../session.js'
import { becauseOf, type LogEvent } from '../story.js'
import { follow } from './follow.js'
import { type VueTab, vueTab } from './vue-tab.js'

/** The used part of `@vue/devtools-api`. The package's own types are those of its Node entry, which does nothing. */
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

/** The maximum number of rows of a kind in the tree. */
const MOST = 500

/**
 * Adds the panel to Vue DevTools as a tab, the table as an inspector and the events as a layer of the timeline. It loads
 * `@vue/devtools-api`, which must be installed. Does nothing on a server.
 *
 * @remarks
 * The tab requires Vue DevTools within the page, such as those of `vite-plugin-vue-devtools`. The browser extension and the
 * standalone application cannot access the page, and show only the inspector and the timeline.
 *
 * @example
 * ```ts
 * if (import.meta.env.DEV) await vuePlugin(app, controller)
 * ```
 */
export async function vuePlugin(app: object, controller: Controller): Promise<void> {
  if (typeof document === 'undefined') return
  // Recording starts with this call, not when the package is loaded.
  const session = connect(controller)
  // The package is optional and large, so only a call of this function loads it.
  const api = (await import('@vue/devtools-api')) as unknown as DevtoolsApi
  api.addCustomTab(vueTab(session))
  const suffix = session.name === 'default' ? '' : ` ${session.name}`
  const id = `roundtable${suffix}`
  const label = `Roundtable rows${suffix}`
  // Vue DevTools contain icons of these names, and load others from the network.
  const descriptor = { id, label, logo: 'i-carbon-grid', packageName: '@roundtable/devtools', app }
  let isSetUp = false
  api.setupDevtoolsPlugin(descriptor, (plugin) => {
    // Vue DevTools set up plugins added after the application was mounted at once, and again when they are opened.
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
    // The inspector is not visible before.
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

/** Returns the data of an event for Vue DevTools, which copy it, so that of a commit contains no observers. */
function dataOf(event: LogEvent): object {
  if (event.type !== 'commit') return { ...event }
  const { causes, readers, rows } = event.facts
  return { keys: event.keys, causes, readers, rows: rows() }
}
