import { Controller, Entity, RestEndpoint, Values } from '@roundtable/core'

class Invoice extends Entity {
  static override key = 'Invoice'
  id = 0
  total = 0
}

const getByMonth = new RestEndpoint({
  path: '/invoices',
  schema: new Values(Invoice),
})

const controller = new Controller()
controller.setResponse(getByMonth, { '2026-11': { id: 1, total: 30 } })
console.log(controller.getResponse(getByMonth).data?.['2026-11']?.total) // → 30
