import { Controller, Entity, RestEndpoint } from '@roundtable/core'

class Person extends Entity {
  static override key = 'Person'
  id = ''
  name = ''

  static override process({
    person_id,
    ...record
  }: {
    person_id: string
    name: string
  }) {
    return { ...record, id: person_id }
  }
}

const getPerson = new RestEndpoint({
  urlPrefix: 'https://api.example.com',
  path: '/people/:id',
  schema: Person,
})
const controller = new Controller()
controller.setResponse(
  getPerson,
  { id: '5' },
  { person_id: '5', name: 'Ann' },
)
console.log(controller.get(Person, { id: '5' })?.name) // → Ann
controller.dispose()
