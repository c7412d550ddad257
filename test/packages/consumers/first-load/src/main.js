import { Controller, Entity, resource } from '@roundtable/core'

class Todo extends Entity {
  static key = 'Todo'
  id = 0
  title = ''
}

const { getList } = resource({ urlPrefix: 'https://api.example.com', path: '/todos/:id', schema: Todo })
const todos = await new Controller().fetch(getList)
for (const { title } of todos) document.body.appendChild(document.createElement('li')).textContent = title
