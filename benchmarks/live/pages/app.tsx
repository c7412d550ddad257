import type { ReactElement, ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import type { Item } from '../server.js'

export type { Item }

/** What the checks use of a page. */
export interface App {
  /** How often the list was rendered. */
  renders: number
  /** Gives an item another title, which shows at once. */
  edit(title: string): void
}

declare global {
  interface Window {
    app: App
  }
}

export async function load(): Promise<Item[]> {
  return (await fetch('/items')).json()
}

export async function save(id: number, fields: Partial<Item>): Promise<Item> {
  return (await fetch(`/items/${id}`, { method: 'PATCH', body: JSON.stringify(fields) })).json()
}

/** The list with an item in the place of its former self. */
export function put(items: readonly Item[], item: Partial<Item> & { readonly id: number }): Item[] {
  return items.map((one) => (one.id === item.id ? { ...one, ...item } : one))
}

/** Shows the titles. `edit` is what a component has to change the item 3. */
export function List({
  items = [],
  edit,
}: {
  readonly items: readonly Item[] | undefined
  edit(title: string): void
}): ReactNode {
  window.app.renders += 1
  window.app.edit = edit
  return (
    <ul>
      {items.map(({ id, title }) => (
        <li key={id}>{title}</li>
      ))}
    </ul>
  )
}

export function show(element: ReactElement): void {
  window.app = { renders: 0, edit: () => {} }
  createRoot(document.querySelector('main') as HTMLElement).render(element)
}
