import type { Controller } from '@roundtable/core'
import { openDevtools } from '../open-devtools.js'
import { connect } from '../session.js'
import { becauseOf, type LogEvent } from '../story.js'
import { follow } from './follow.js'

/** The part of `@vue/devtools-api` that is used. */
interface DevtoolsApi {
  addCustomTab(tab: object): void
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

/** The page of the tab: it asks the application's page, which lies around it or has opened it, to put the panel into it. */
const TAB = `<!doctype html><meta charset="utf-8"><title>Roundtable</title>
<style>html, body { height: 100%; margin: 0 }</style>
<body><script>
for (let at = window; at !== at.parent; at = at.parent) at.parent.postMessage('${ID}:tab', origin)
top.opener?.postMessage('${ID}:tab', origin)
</script>`

/**
 * Adds the panel as a tab, the table as an inspector and the events as a timeline layer to Vue DevTools. `@vue/devtools-api` is loaded
 * when this is called: it must be installed.
 *
 * @example
 * ```ts
 * if (import.meta.env.DEV) await vuePlugin(app, controller)
 * ```
 */
export async function vuePlugin(app: object, controller: Controller): Promise<void> {
  // It is an optional package, and heavy: bundlers see that only who calls this loads it.
  const { addCustomTab, setupDevtoolsPlugin } = (await import('@vue/devtools-api')) as unknown as DevtoolsApi
  const session = connect(controller)
  const src = URL.createObjectURL(new Blob([TAB], { type: 'text/html' }))
  addCustomTab({
    name: ID,
    title: 'Roundtable',
    icon: 'i-carbon-flow',
    category: 'modules',
    view: { type: 'iframe', src },
  })
  addEventListener('message', ({ data, origin, source }) => {
    // The tab has this page's origin, so its document can be reached.
    if (data === `${ID}:tab` && origin === location.origin && source !== null)
      void openDevtools(session, { into: (source as Window).document.body, place: 'fill' })
  })
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
