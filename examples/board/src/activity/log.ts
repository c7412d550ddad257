import type { Controller } from '@roundtable/core'
import { timeOfDay } from '../app/dates.js'
import { element } from '../app/element.js'
import { headlineOf, reasonOf } from '../app/reason.js'
import { describe, pathOf } from './describe.js'

const MOST = 150

type Kind = 'asked' | 'saved' | 'changed' | 'failed'

const signs: Readonly<Record<Kind, string>> = { asked: '→', saved: '✓', changed: '•', failed: '✕' }

/**
 * Writes down what the controller does, the newest on top: requests with the time they took, messages of the stream,
 * commits, and errors.
 */
export function makeLog(controller: Controller): HTMLElement {
  const list = element('ol', { className: 'log scroll', 'aria-label': 'What happened', tabIndex: 0 })
  let explained = ''
  const started = new Map<number, { row: HTMLElement; at: number }>()

  controller.on('fetch', ({ id, key, args }) => {
    started.set(id, { row: write('asked', describe(controller, key, args)), at: performance.now() })
  })
  controller.on('settle', ({ id, error }) => {
    const flight = started.get(id)
    started.delete(id)
    if (flight === undefined) return
    mark(flight.row, error === undefined ? 'saved' : 'failed', `${Math.round(performance.now() - flight.at)} ms`)
  })
  controller.on('error', ({ error }) => void explain(error))
  controller.on('commit', ({ keys }) => {
    if (keys.length > 0) write('changed', `changed: ${keys.map(shortKey).join(', ')}`)
  })
  controller.on('action', ({ type, key = '' }) => {
    if (type === 'message' || type === 'connection') write('changed', key.replace('/api', ''))
  })
  controller.on('reset', () => write('changed', 'the table was emptied'))
  return list

  function write(kind: Kind, what: string): HTMLElement {
    const row = element(
      'li',
      {},
      element('time', { textContent: timeOfDay(new Date()) }),
      element('span', { className: 'sign' }),
      element('span', { className: 'what', textContent: what }),
      element('span', { className: 'took' }),
    )
    mark(row, kind, '')
    list.prepend(row)
    while (list.children.length > MOST) list.lastElementChild?.remove()
    return row
  }

  async function explain(error: Error): Promise<void> {
    const text = `${headlineOf(error)}: ${await reasonOf(error)}`
    // When the server is away everything fails alike: once is enough.
    if (text === explained) return
    explained = text
    setTimeout(() => {
      explained = ''
    }, 1_000)
    write('failed', text)
  }
}

function mark(row: HTMLElement, kind: Kind, took: string): void {
  row.dataset.kind = kind
  const [, sign, , time] = row.children
  if (sign) sign.textContent = signs[kind]
  if (time) time.textContent = took
}

function shortKey(key: string): string {
  return pathOf(key.replace(/^GET /, ''))
}
