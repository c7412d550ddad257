import { Entity, resource } from '@roundtable/core'
import { BoardEndpoint } from './board-endpoint.js'
import { isPassing } from './is-passing.js'

/** Somebody who works on the board. */
export class Person extends Entity {
  static override key = 'Person'
  id = 0
  name = ''
  initials = ''
  color = ''
}

const people = resource({ path: '/api/people/:id', schema: Person, errorPolicy: isPassing, Endpoint: BoardEndpoint })

/** Everybody. They hardly change. */
export const getPeople = people.getList.extend({ dataExpiryLength: 600_000 })
