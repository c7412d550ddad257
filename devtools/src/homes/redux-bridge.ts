import type { Controller } from '@roundtable/core'
import { connect } from '../session.js'
import { becauseOf, type LogEvent } from '../story.js'
import { follow } from './follow.js'

/** The used part of the Redux DevTools extension. */
interface Extension {
  connect(options: { readonly name: string; readonly features: Readonly<Record<string, boolean>> }): {
    init(state: unknown): void
    send(action: { readonly type: string }, state: unknown): void
    error(message: string): void
    subscribe(
      listener: (message: { readonly type: string; readonly payload?: { readonly type?: string } }) => void,
    ): void
  }
}

/**
 * Sends a controller's events to the Redux DevTools extension, at most once in a frame, while its panel is open. Returns a
 * function that stops it. Without the extension it does nothing.
 *
 * @remarks
 * The extension shows the events and the rows. Jumping to an earlier state is rejected, since the state belongs to the
 * server.
 *
 * @example
 * ```ts
 * reduxBridge(controller)
 * ```
 */
export function reduxBridge(controller: Controller): () => void {
  const { __REDUX_DEVTOOLS_EXTENSION__: extension } = globalThis as { __REDUX_DEVTOOLS_EXTENSION__?: Extension }
  if (extension === undefined) return () => {}
  const session = connect(controller, { name: 'redux' })
  const features = { jump: false, skip: false, reorder: false, dispatch: false, persist: false, import: false }
  const tools = extension.connect({ name: 'Roundtable', features })
  let stop: (() => void) | undefined
  const end = (): void => {
    stop?.()
    stop = undefined
  }
  tools.subscribe(({ type, payload }) => {
    if (type === 'START') {
      end()
      tools.init(stateOf(session))
      stop = follow(session, (news) => {
        const state = stateOf(session)
        for (const event of news) tools.send({ type: titleOf(event) }, state)
      })
    } else if (type === 'STOP') end()
    else if (type === 'DISPATCH' && payload?.type?.startsWith('JUMP')) {
      tools.error('Roundtable cannot jump to an earlier state: its rows belong to the server.')
    }
  })
  return () => {
    end()
    session.disconnect()
  }
}

function titleOf(event: LogEvent): string {
  const key = 'key' in event && event.key !== undefined ? ` ${event.key}` : ''
  return `${event.type}${key}: ${becauseOf(event)}`
}

function stateOf(session: ReturnType<typeof connect>): object {
  const kinds = session.tables().map(({ kind }) => {
    const pks = session.primaryKeys(kind).slice(0, 1_000)
    return [kind, Object.fromEntries(pks.map((pk) => [pk, session.row(kind, pk)?.value]))]
  })
  return Object.fromEntries(kinds)
}
