// Calls of what was written, for the compiler alone: each mistake is an error, and nothing else is.
import type { Controller } from '@roundtable/core'
import * as payments from './generated/payments/roundtable.gen.js'
import * as pets from './generated/pets/roundtable.gen.js'
import * as tasks from './generated/tasks/roundtable.gen.js'

/** True for two types that are the same; `any` is none but itself. */
type Is<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

const is = <A, B>(_same: Is<A, B>): void => {}

export async function rightCalls(controller: Controller): Promise<void> {
  const pet = await controller.fetch(pets.showPetById, { id: 5 })
  is<typeof pet, pets.Pet>(true)
  is<typeof pet.id, number>(true)
  is<typeof pet.owner, pets.Owner | undefined>(true)
  is<typeof pet.ownerName, string | null | undefined>(true)

  const all = await controller.fetch(pets.listPets, { status: 'sold', tags: ['quiet'], page: 2 })
  is<typeof all, readonly pets.Pet[]>(true)
  await controller.fetch(pets.listPets)
  await controller.fetch(pets.listPets.getPage, { page: 2 })
  await controller.fetch(pets.createPet, { name: 'Rex', status: 'available' })
  await controller.fetch(pets.deletePet, { id: 5 })

  const [first] = await controller.fetch(pets.feed)
  is<typeof first, pets.Adoption | pets.Visit | undefined>(true)
  const inventory = await controller.fetch(pets.getInventory)
  is<typeof inventory, Record<string, number> | { [key: string]: number }>(false)
  is<(typeof inventory)[string], number>(true)
  const photo = await controller.fetch(pets.downloadPhoto, { petId: 5 })
  is<typeof photo, Blob>(true)
  await controller.fetch(pets.uploadPhoto, { petId: 5 }, { file: new Blob([]), labels: ['a'] })
  const text = await controller.fetch(pets.terms)
  is<typeof text, string>(true)

  const page = await controller.fetch(tasks.readTasksTasksGet, { owner_id: 1, done: null })
  is<typeof page.items, readonly tasks.TaskPublic[]>(true)
  is<typeof page.total, number>(true)
  is<typeof page.next_cursor, string | null | undefined>(true)
  const item = await controller.fetch(tasks.readItemItemsItemIdGet, { 'item-id': 'a' })
  is<typeof item, unknown>(true)
  const user = await controller.fetch(tasks.readUserUsersUserIdGet, { id: 1 })
  is<typeof user.tasks, readonly tasks.TaskPublic[]>(true)
  const moved = await controller.fetch(tasks.readUsersUsersGet.move, { id: 1 }, { name: 'Ada' })
  is<typeof moved, tasks.UserPublic | null>(true)

  const customer = await controller.fetch(payments.getCustomersCustomer, { id: 'cus_1' })
  is<typeof customer, payments.Customer | payments.DeletedCustomer>(true)
  const customers = await controller.fetch(payments.getCustomers, { created: { gt: 5 }, expand: ['data.sources'] })
  is<typeof customers.data, readonly payments.Customer[]>(true)
  is<typeof customers.has_more, boolean>(true)
  const charge = await controller.fetch(payments.ChargeResource.get, { id: 'ch_1' })
  is<typeof charge.customer, payments.Customer | payments.DeletedCustomer | null | undefined>(true)
  await controller.fetch(payments.postCustomers, { metadata: { plan: 'b' } })
}

export function wrongCalls(controller: Controller): void {
  // @ts-expect-error a param of the path is missing
  controller.fetch(pets.showPetById, {})
  // @ts-expect-error the param has the name of the primary key
  controller.fetch(pets.showPetById, { petId: 5 })
  // @ts-expect-error an unknown search param
  controller.fetch(pets.listPets, { colour: 'red' })
  // @ts-expect-error a value that is not in the list of values
  controller.fetch(pets.listPets, { status: 'lost' })
  // @ts-expect-error a field of the body is missing
  controller.fetch(pets.createPet, { status: 'sold' })
  // @ts-expect-error a field that the server sets
  controller.fetch(pets.createPet, { name: 'Rex', id: 5 })
  // @ts-expect-error no body
  controller.fetch(pets.createPet)
  // @ts-expect-error it takes no params
  controller.fetch(pets.getInventory, { id: 1 })
  // @ts-expect-error a field of the form is missing
  controller.fetch(pets.login, { name: 'Ada' })
  // @ts-expect-error a field of the body is missing
  controller.fetch(tasks.createTaskTasksPost, { title: 'Write' })
  // @ts-expect-error a param of the path is missing
  controller.fetch(tasks.readItemItemsItemIdGet, {})
  // @ts-expect-error an unknown search param within an object
  controller.fetch(payments.getCustomers, { created: { after: 5 } })
  // @ts-expect-error it takes no body
  controller.fetch(payments.postChargesChargeRefund, { charge: 'ch_1' }, { amount: 5 })
}
