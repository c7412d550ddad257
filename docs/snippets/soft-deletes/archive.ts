import { Controller } from '@roundtable/core'
import { archiveNote, getArchive, getNotes, restoreNote } from './api.js'

// The server of this example.
const transport = async (
  input: string | URL | Request,
  { method }: RequestInit,
) =>
  Response.json({
    id: 1,
    archivedAt: method === 'DELETE' ? '2026-03-02T10:00:00Z' : null,
    path: String(input),
  })

const controller = new Controller({ transport })
controller.setResponse(getNotes, [
  { id: 1, text: 'Buy a pen', archivedAt: null },
])
controller.setResponse(getArchive, [])
const show = () =>
  console.log(
    controller.getResponse(getNotes).data?.length,
    controller.getResponse(getArchive).data?.length,
  )

const archived = controller.fetch(archiveNote, { id: 1 })
show() // → 0 1
await archived
show() // → 0 1

await controller.fetch(restoreNote, { id: 1 })
show() // → 1 0
controller.dispose()
