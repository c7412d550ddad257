import { Entity, resource } from '@roundtable/core'

export class User extends Entity {
  static override key = 'User'
  id = 0
  name = ''
}

export class Label extends Entity {
  static override key = 'Label'
  slug = ''
  color = ''

  // The primary key, if it is not `id`.
  override pk() {
    return this.slug
  }
}

export class Issue extends Entity {
  static override key = 'Issue'
  static override schema = {
    author: User, // one row
    labels: [Label], // a list of rows
    createdAt: (text: string) => new Date(text), // a value converted from what the server sends
  }
  id = 0
  title = ''
  author: User | undefined = undefined
  labels: Label[] = []
  createdAt = new Date(0)
}

export const IssueResource = resource({
  urlPrefix: 'https://api.example.com',
  path: '/issues/:id',
  schema: Issue,
})
