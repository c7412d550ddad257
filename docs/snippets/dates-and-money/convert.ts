import { Controller } from '@roundtable/core'
import { Invoice, InvoiceResource } from './api.js'

const controller = new Controller()
controller.setResponse(InvoiceResource.getList, [
  {
    id: 1,
    dueAt: '2026-03-02T10:00:00Z',
    total: { amount: '12.50', currency: 'EUR' },
  },
  {
    id: 2,
    dueAt: '2026-04-02T10:00:00Z',
    total: { amount: '0.20', currency: 'EUR' },
  },
])
const [first, second] =
  controller.getResponse(InvoiceResource.getList).data ?? []
console.log(
  first?.dueAt.getUTCMonth(),
  String(second && first?.total.plus(second.total)),
) // → 2 €12.70

// A change is sent in the server's form, and shown in ours before the response arrives.
const dueAt = new Date('2026-05-02T10:00:00Z')
void controller
  .fetch(
    InvoiceResource.partialUpdate,
    { id: 1 },
    { dueAt: dueAt.toJSON() },
  )
  .catch(() => {})
console.log(controller.get(Invoice, { id: 1 })?.dueAt.getUTCMonth()) // → 4
controller.dispose()
