import { Entity, resource } from '@roundtable/core'

/** An amount in the smallest unit, so that sums are exact. The server sends `{ amount: '12.50', currency: 'EUR' }`. */
export class Money {
  readonly cents: number
  readonly currency: string

  constructor(cents: number, currency: string) {
    this.cents = cents
    this.currency = currency
  }

  static from({ amount, currency }: { amount: string; currency: string }) {
    return new Money(Math.round(Number(amount) * 100), currency)
  }

  plus(other: Money) {
    return new Money(this.cents + other.cents, this.currency)
  }

  toString() {
    return new Intl.NumberFormat('en', {
      style: 'currency',
      currency: this.currency,
    }).format(this.cents / 100)
  }

  toJSON() {
    return {
      amount: (this.cents / 100).toFixed(2),
      currency: this.currency,
    }
  }
}

export class Invoice extends Entity {
  static override key = 'Invoice'
  static override schema = {
    dueAt: (text: string) => new Date(text),
    total: Money.from,
  }
  id = 0
  dueAt = new Date(0)
  total = new Money(0, 'EUR')
}

export const InvoiceResource = resource({
  urlPrefix: 'https://api.example.com',
  path: '/invoices/:id',
  schema: Invoice,
  body: {} as {
    dueAt?: string
    total?: { amount: string; currency: string }
  },
  optimistic: true,
})
