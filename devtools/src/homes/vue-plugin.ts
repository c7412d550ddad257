import type { Controller } from '@roundtable/core'
import { connect } from '../session.js'
import { becauseOf, type LogEvent } from '../story.js'
import { follow } from './follow.js'

/** The part of `@vue/devtools-api` that is used. */
interface DevtoolsApi {
  setupDevtoolsPlugin(descriptor: object, setup: (api: PluginApi) => void): void
}

interface PluginApi {
  addInspector(options: { readonly id: string; readonly label: string; readonly icon?: string }): void
  addTimelineLayer(options: { readonly id: string; readonly label: string; readonly color: number }): void
  addTimelineEvent(options: { readonly layerId: string; readonly event: object }): void
  sendInspectorTree(id: string): void
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

const ID = 'roundtable'
/** How many rows of a kind the tree shows. */
const MOST = 500

/**
 * Adds the table as an inspector and the events as a timeline layer to Vue DevTools. `@vue/devtools-api` is loaded when this is called:
 * it must be installed.
 *
 * @example
 * ```ts
 * if (import.meta.env.DEV) await vuePlugin(app, controller)
 * ```
 */
export async function vuePlugin(app: object, controller: Controller): Promise<void> {
  // It is an optional package, and heavy: bundlers see that only who calls this loads it.
  const { setupDevtoolsPlugin } = (await import('@vue/devtools-api')) as unknown as DevtoolsApi
  const session = connect(controller)
  setupDevtoolsPlugin({ id: ID, label: 'Roundtable', packageName: '@roundtable/devtools', app }, (api) => {
    api.addInspector({ id: ID, label: 'Roundtable', icon: 'table_rows' })
    api.addTimelineLayer({ id: ID, label: 'Roundtable', color: 0x5b54e8 })
    api.on.getInspectorTree((payload) => {
      if (payload.inspectorId !== ID) return
      payload.rootNodes = session.tables().map(({ kind, count }) => ({
        id: kind,
        label: `${kind} (${count})`,
        children: session
          .primaryKeys(kind)
          .filter((pk) => pk.includes(payload.filter ?? ''))
          .slice(0, MOST)
          .map((pk) => ({ id: `${kind}\n${pk}`, label: pk })),
      }))
    })
    api.on.getInspectorState((payload) => {
      const [kind, pk] = payload.nodeId?.split('\n') ?? []
      if (payload.inspectorId !== ID || kind === undefined || pk === undefined) return
      const { value, levels = [] } = session.row(kind, pk) ?? {}
      const fields = Object.entries(typeof value === 'object' && value !== null ? value : {})
      payload.state = {
        row: fields.map(([key, shown]) => ({ key, value: shown })),
        ...(levels.length > 0 && {
          levels: levels.map(({ by, value: at }) => ({ key: by === 0 ? 'server' : `#${by}`, value: at })),
        }),
      }
    })
    follow(session, (news) => {
      for (const event of news) {
        const title = 'key' in event ? (event.key ?? event.type) : event.type
        api.addTimelineEvent({
          layerId: ID,
          event: { time: event.at, title, subtitle: becauseOf(event), data: dataOf(event) },
        })
      }
      api.sendInspectorTree(ID)
    })
  })
}

/** What Vue DevTools show of an event. They copy it, so a commit is told without its observers. */
function dataOf(event: LogEvent): object {
  if (event.type !== 'commit') return { ...event }
  const { causes, readers, rows } = event.facts
  return { keys: event.keys, causes, readers, rows: rows() }
}
