// Written by @roundtable/openapi: changes are lost when it is written again.
/* eslint-disable */
import { Collection, Entity, Invalidate, RestEndpoint, type RestGenerics, type SchemaContract, Union } from '@roundtable/core'
import type * as T from './types.gen.js'

const urlPrefix = 'https://api.payments.test'

/** A schema whose value is of this type, which its own type does not tell. */
type As<Out> = SchemaContract & {
  readonly '~types': {
    readonly denormalized: Out
    readonly nullable: Out | undefined
    readonly normalized: unknown
    readonly normalizedNullable: unknown
    readonly args: never
  }
}

/** An object with rows in it, whose other fields stay as they came. */
function withFields<Fields>() {
  return <const Rows>(rows: Rows) =>
    rows as Rows & { readonly [Name in keyof Omit<Fields, keyof Rows>]-?: (value: Fields[Name]) => Fields[Name] }
}

/** An endpoint whose data have no rows. */
function plain<Data>() {
  return <const Options extends RestGenerics>(options: Options) =>
    new RestEndpoint(options as never) as never as RestEndpoint<Options, Data>
}

/** Writes search params, sorted by name; those with a style in the way that it says. */
function searchBy(styles: Readonly<Record<string, string>>) {
  return (params: object): string => {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))) {
      const style = styles[name]
      if (style === 'brackets') addNested(search, name, value)
      else if (style === 'fields' && isNested(value)) for (const [field, one] of Object.entries(value)) addNested(search, field, one)
      else if (style && Array.isArray(value)) search.append(name, value.join(style))
      else for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) search.append(name, textOf(one))
    }
    return search.toString()
  }
}

/** A body as a form; `nested` are fields that are written as `name[field]`. */
function formOf(body: object | undefined, nested: readonly string[] = []): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(body ?? {})) {
    if (nested.includes(name) || (isNested(value) && !Array.isArray(value))) addNested(form, name, value)
    else for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) form.append(name, textOf(one))
  }
  return form
}

function addNested(search: URLSearchParams, name: string, value: unknown): void {
  if (isNested(value)) for (const [field, one] of Object.entries(value)) addNested(search, `${name}[${field}]`, one)
  else if (value !== undefined) search.append(name, textOf(value))
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Date)
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value)
}

/** The rows that Customer, DeletedCustomer show: whatever one of them is told, the others know. */
abstract class CustomerKind extends Entity {
  static override key = 'Customer'
}

/** A customer of your business. It lets you charge a card *\/ again. */
export class Customer extends CustomerKind {
  static override get schema() {
    return { default_source: new Union({ bank_account: BankAccount, card: Card }, 'object'), sources: { data: [new Union({ bank_account: BankAccount, card: Card }, 'object')] } }
  }
}
/** A customer of your business. It lets you charge a card *\/ again. */
export interface Customer extends Omit<T.Customer, 'default_source' | 'sources'> {
  default_source?: BankAccount | Card | string | null | undefined
  sources?: Omit<NonNullable<T.Customer['sources']>, 'data'> & { readonly data: readonly (BankAccount | Card)[] } | undefined
}

export class DeletedCustomer extends CustomerKind {}
export interface DeletedCustomer extends T.DeletedCustomer {}

export class BankAccount extends Entity {
  static override key = 'BankAccount'
}
export interface BankAccount extends T.BankAccount {}

export class Card extends Entity {
  static override key = 'Card'
}
export interface Card extends T.Card {}

export class Charge extends Entity {
  static override key = 'Charge'
  static override get schema() {
    return { customer: Customer }
  }
}
export interface Charge extends Omit<T.Charge, 'customer'> {
  customer?: Customer | DeletedCustomer | null | undefined
}

/**
 * <p>Returns a list of your customers.</p>
 *
 * GET /v1/customers
 */
export const getCustomers = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/v1/customers',
    searchParams: {} as T.GetCustomersData['query'],
    searchToString: searchBy({ created: 'brackets', expand: 'brackets' }),
    schema: withFields<T.GetCustomersResponses[200]>()({ data: new Collection([Customer], { nonFilterArgumentKeys: ['ending_before', 'expand', 'limit', 'starting_after'] }) }),
    paginationField: 'starting_after',
    nextPage: ({ response, items }) =>
      response.has_more && items.length > 0 ? { starting_after: items[items.length - 1]?.id } : null,
    pageFields: ['has_more'],
  }))()

/** POST /v1/customers */
export const postCustomers = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/v1/customers',
    method: 'POST',
    body: {} as T.PostCustomersData['body'],
    getRequestInit(body) {
      return RestEndpoint.prototype.getRequestInit.call(this, formOf(body, ['metadata', 'preferred_locales']))
    },
    schema: getCustomers.schema.data.push,
  }))()

/** GET /v1/customers/{customer} */
export const getCustomersCustomer = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/v1/customers/:id',
    schema: (Customer as never as As<Customer | DeletedCustomer>),
  }))()

/** POST /v1/customers/{customer} */
export const postCustomersCustomer = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/v1/customers/:id',
    method: 'POST',
    body: {} as T.PostCustomersCustomerData['body'],
    getRequestInit(body) {
      return RestEndpoint.prototype.getRequestInit.call(this, formOf(body, ['metadata']))
    },
    schema: Customer,
  }))()

/** DELETE /v1/customers/{customer} */
export const deleteCustomersCustomer = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/v1/customers/:id',
    method: 'DELETE',
    schema: new Invalidate(Customer),
  }))()

/** GET /v1/charges */
export const getCharges = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/v1/charges',
    searchParams: {} as T.GetChargesData['query'],
    schema: withFields<T.GetChargesResponses[200]>()({ data: new Collection([Charge], { nonFilterArgumentKeys: ['limit', 'starting_after'] }) }),
    paginationField: 'starting_after',
    nextPage: ({ response, items }) =>
      response.has_more && items.length > 0 ? { starting_after: items[items.length - 1]?.id } : null,
    pageFields: ['has_more'],
  }))()

/** GET /v1/charges/{charge} */
export const getChargesCharge = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/v1/charges/:id',
    searchParams: {} as T.GetChargesChargeData['query'],
    searchToString: searchBy({ expand: 'brackets' }),
    schema: Charge,
  }))()

/** POST /v1/charges/{charge}/refund */
export const postChargesChargeRefund = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/v1/charges/:charge/refund',
    method: 'POST',
    body: undefined,
    schema: Charge,
  }))()

/** GET /v1/balance */
export const getBalance = /* @__PURE__ */ (() =>
  plain<T.GetBalanceResponse>()({
    urlPrefix,
    path: '/v1/balance',
  }))()

/** The endpoints of Customer. */
export const CustomerResource = {
  get: getCustomersCustomer,
  getList: getCustomers,
  create: postCustomers,
  update: postCustomersCustomer,
  delete: deleteCustomersCustomer,
}

/** The endpoints of Charge. */
export const ChargeResource = {
  get: getChargesCharge,
  getList: getCharges,
  postChargesChargeRefund,
}
