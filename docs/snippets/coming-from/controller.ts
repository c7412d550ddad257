import { Controller, retry, revalidate } from '@roundtable/core'

export const controller = new Controller({
  dataExpiryLength: 0,
  retention: { after: 300_000 },
  retry: retry({ limit: 3, methods: [] }),
  managers: [revalidate()],
})
