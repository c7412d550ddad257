import { Entity, resource } from '@roundtable/core'
import { BoardEndpoint } from './board-endpoint.js'
import { isPassing } from './is-passing.js'

/** A project, which has tasks. */
export class Project extends Entity {
  static override key = 'Project'
  id = 0
  name = ''
  slug = ''
  color = ''
  description = ''
  /** A day: `2026-03-02`. */
  startsOn = ''
  endsOn = ''
}

const projects = resource({
  path: '/api/projects/:id',
  schema: Project,
  errorPolicy: isPassing,
  Endpoint: BoardEndpoint,
})

/** All projects. They hardly change. */
export const getProjects = projects.getList.extend({ dataExpiryLength: 600_000 })
