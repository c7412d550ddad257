import { Controller } from '@roundtable/core'
import { legacy_createStore as createStore } from 'redux'
import { Todo, TodoResource } from './api.js'

const controller = new Controller()
const commits = (count = 0, { type }: { type: string }) =>
  type === 'data/changed' ? count + 1 : count
const store = createStore(commits)
controller.on('commit', () => store.dispatch({ type: 'data/changed' }))

// Selectors read the controller; the count tells react-redux to run them again.
store.subscribe(() => console.log(controller.get(Todo, { id: 1 })?.title))
controller.setResponse(
  TodoResource.get,
  { id: 1 },
  { id: 1, title: 'Buy milk' },
)
// → Buy milk
controller.set(Todo, { id: 1 }, { title: 'Buy oats' })
// → Buy oats
