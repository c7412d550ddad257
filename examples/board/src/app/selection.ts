import { atom } from 'nanostores'

// The selection is no data of the server: it lives in two atoms beside the table, and in the address.

/** The project that is shown; undefined for all of them. */
export const $projectId = atom<number | undefined>(inAddress('project'))

/** The chosen task. */
export const $taskId = atom<number | undefined>(inAddress('task'))

$projectId.listen((id) => writeAddress('project', id))
$taskId.listen((id) => writeAddress('task', id))

function inAddress(name: string): number | undefined {
  const text = new URLSearchParams(location.search).get(name) ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

function writeAddress(name: string, id: number | undefined): void {
  const url = new URL(location.href)
  if (id === undefined) url.searchParams.delete(name)
  else url.searchParams.set(name, String(id))
  history.replaceState(null, '', url)
}
