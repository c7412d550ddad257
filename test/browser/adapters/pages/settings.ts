import { Controller } from '@roundtable/core'
import { reads, rename } from './todos.js'

const address = new URLSearchParams(location.search)

/** The settings in the address of the page: `?hook=dle&read=stale&readers=2`. */
export const settings = {
  hook: (address.get('hook') ?? 'suspense') as 'suspense' | 'dle' | 'live',
  read: reads[(address.get('read') ?? 'todo') as keyof typeof reads],
  readers: Array.from({ length: Number(address.get('readers') ?? 1) }, (_, index) => index),
}

export const controller = new Controller()

/** Buttons for the whole page. Errors are reported to readers, or to nobody. */
export const deeds: Readonly<Record<string, () => void>> = {
  Reload: () => void controller.fetch(settings.read, { id: '1' }).catch(() => {}),
  Rename: () => void controller.fetch(rename, { id: '1' }, { title: 'mine' }).catch(() => {}),
}
