import { type Controller, TransportError } from '@roundtable/core'
import { $isOffline } from '../device/network.js'
import { $reading } from '../device/store.js'
import { byId } from './element.js'
import { $loaded } from './load-tasks.js'

/** Quick requests shall not make the line flicker. */
const PATIENCE = 250

/** Tells at the top of the page whether requests are under way, and whether the last one reached the server. */
export function watchTraffic(controller: Controller): void {
  const line = byId('traffic')
  const writing = new Set<number>()
  const reading = new Set<number>()
  let isReached = true
  let isFirst = true
  let timer: ReturnType<typeof setTimeout> | undefined
  controller.on('fetch', ({ id, endpoint }) => {
    const flights = endpoint.sideEffect === true ? writing : reading
    flights.add(id)
    timer ??= setTimeout(show, PATIENCE)
  })
  controller.on('settle', ({ id, error }) => {
    writing.delete(id)
    reading.delete(id)
    isFirst = false
    isReached = !(error instanceof TransportError)
    if (writing.size + reading.size > 0) return
    clearTimeout(timer)
    timer = undefined
    show()
  })
  for (const atom of [$loaded, $isOffline, $reading]) atom.subscribe(show)

  function show(): void {
    const { count, total } = $loaded.get()
    const length = $reading.get()
    const isBusy = isFirst || count < total || writing.size + reading.size > 0
    line.dataset.state = !isReached || $isOffline.get() ? 'failed' : isBusy ? 'busy' : 'idle'
    if (length !== undefined) line.textContent = `Reading ${(length / 1e6).toFixed(1)} MB from this device …`
    else if ($isOffline.get()) line.textContent = 'Offline'
    else if (!isReached) line.textContent = 'No connection'
    else if (writing.size > 0) line.textContent = 'Saving …'
    else if (count < total) line.textContent = `${count.toLocaleString('en')} of ${total.toLocaleString('en')} tasks …`
    else line.textContent = isBusy ? 'Loading …' : 'All saved'
  }
}
