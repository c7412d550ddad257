import { onMount } from 'svelte'

const before = new Set<() => void>()
const after = new Set<() => void>()

/** SvelteKit's `$app/navigation`. */
export function beforeNavigate(callback: () => void): void {
  addTo(before, callback)
}

export function afterNavigate(callback: () => void): void {
  addTo(after, callback)
}

function addTo(callbacks: Set<() => void>, callback: () => void): void {
  onMount(() => {
    callbacks.add(callback)
    return () => callbacks.delete(callback)
  })
}

/** Navigates: `render` shows the new page. */
export function navigate(render: () => void): void {
  for (const callback of before) callback()
  render()
  for (const callback of after) callback()
}
