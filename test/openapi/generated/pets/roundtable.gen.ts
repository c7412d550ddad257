// Written by @roundtable/openapi: changes are lost when it is written again.
/* eslint-disable */
import { Collection, Entity, Invalidate, RestEndpoint, type RestGenerics, Union } from '@roundtable/core'
import type * as T from './types.gen.js'

const urlPrefix = 'https://pets.test/v1'

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

/** A body with files as a form: an object is JSON, and an array repeats its name. */
function formDataOf(body: object | undefined): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one instanceof Blob) form.append(name, one)
      else if (one !== undefined) form.append(name, isNested(one) ? JSON.stringify(one) : textOf(one))
    }
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

/** An animal of the shop. */
export class Pet extends Entity {
  static override key = 'Pet'
  static override get schema() {
    return { owner: Owner, friends: [Pet] }
  }
}
/** An animal of the shop. */
export interface Pet extends Omit<T.Pet, 'owner' | 'friends'> {
  owner?: Owner | undefined
  friends?: readonly Pet[] | undefined
}

export class Owner extends Entity {
  static override key = 'Owner'
  static override get schema() {
    return { pets: [Pet] }
  }
  override pk() {
    return this.name
  }
}
export interface Owner extends Omit<T.Owner, 'pets'> {
  pets?: readonly Pet[] | undefined
}

export class Order extends Entity {
  static override key = 'Order'
  static override get schema() {
    return { pet: Pet }
  }
}
export interface Order extends Omit<T.Order, 'pet'> {
  pet?: Pet | undefined
}

export class Adoption extends Entity {
  static override key = 'Adoption'
  static override get schema() {
    return { pet: Pet }
  }
}
export interface Adoption extends Omit<T.Adoption, 'pet'> {
  pet?: Pet | undefined
}

export class Visit extends Entity {
  static override key = 'Visit'
}
export interface Visit extends T.Visit {}

/**
 * All pets, by page.
 *
 * GET /pets
 */
export const listPets = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/pets',
    searchParams: {} as T.ListPetsData['query'],
    searchToString: searchBy({ tags: ',' }),
    schema: new Collection([Pet], { nonFilterArgumentKeys: ['page', 'sortBy'] }),
    paginationField: 'page',
  }))()

/** POST /pets */
export const createPet = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/pets',
    method: 'POST',
    body: {} as T.CreatePetData['body'],
    schema: listPets.schema.push,
  }))()

/** GET /pets/{petId} */
export const showPetById = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/pets/:id',
    schema: Pet,
  }))()

/** PUT /pets/{petId} */
export const updatePet = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/pets/:id',
    method: 'PUT',
    body: {} as T.UpdatePetData['body'],
    schema: Pet,
  }))()

/** DELETE /pets/{petId} */
export const deletePet = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/pets/:id',
    method: 'DELETE',
    schema: new Invalidate(Pet),
  }))()

/** GET /pets/{petId}/photo */
export const downloadPhoto = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/pets/:petId/photo',
    content: 'blob',
  }))()

/** PUT /pets/{petId}/photo */
export const uploadPhoto = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/pets/:petId/photo',
    method: 'PUT',
    body: {} as T.UploadPhotoData['body'],
    getRequestInit(body) {
      return RestEndpoint.prototype.getRequestInit.call(this, formDataOf(body))
    },
    schema: Pet,
  }))()

/**
 * How many pets there are, by status.
 *
 * GET /store/inventory
 */
export const getInventory = /* @__PURE__ */ (() =>
  plain<T.GetInventoryResponse>()({
    urlPrefix,
    path: '/store/inventory',
  }))()

/** GET /store/orders/{orderId} */
export const getOrderById = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/store/orders/:id',
    schema: Order,
  }))()

/**
 * DELETE /store/orders/{orderId}
 *
 * @deprecated
 */
export const deleteOrder = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/store/orders/:id',
    method: 'DELETE',
    schema: new Invalidate(Order),
  }))()

/** GET /owners/{name} */
export const getOwner = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/owners/:name',
    schema: Owner,
  }))()

/** GET /feed */
export const feed = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/feed',
    schema: new Collection([new Union({ adoption: Adoption, visit: Visit }, 'kind')]),
  }))()

/** GET /terms */
export const terms = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/terms',
    content: 'text',
  }))()

/** POST /login */
export const login = /* @__PURE__ */ (() =>
  new RestEndpoint({
    urlPrefix,
    path: '/login',
    method: 'POST',
    body: {} as T.LoginData['body'],
    getRequestInit(body) {
      return RestEndpoint.prototype.getRequestInit.call(this, formOf(body))
    },
    process: (value: null) => value,
  }))()

/** GET /surprise */
export const surprise = /* @__PURE__ */ (() =>
  plain<T.SurpriseResponse>()({
    urlPrefix,
    path: '/surprise',
  }))()

/** The endpoints of Pet. */
export const PetResource = {
  get: showPetById,
  getList: listPets,
  create: createPet,
  update: updatePet,
  delete: deletePet,
  uploadPhoto,
}

/** The endpoints of Owner. */
export const OwnerResource = {
  get: getOwner,
}

/** The endpoints of Order. */
export const OrderResource = {
  get: getOrderById,
  delete: deleteOrder,
}
