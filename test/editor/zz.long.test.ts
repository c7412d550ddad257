import { test } from 'vitest'
import { Editor } from './editor.js'
const editor = new Editor(`
import { type Controller, Collection, Endpoint, Entity, RestEndpoint, resource, Union, Query, All, type EndpointData, type ReadEndpoint } from '@roundtable/core'
import * as react from '@roundtable/react'
import * as vue from '@roundtable/vue'
import * as svelte from '@roundtable/svelte'
class Todo extends Entity { static override key = 'Todo'; id = 0; title = ''; done = false }
const Todos = resource({ path: '/todos/:id', schema: Todo, searchParams: {} as { userId?: number } })
const getMe = new RestEndpoint({ path: '/me', schema: Todo })
declare const controller: Controller
`)
test('x', () => {
  for (const code of ['react.useDLE(Todos.partialUpdate, { id: 5 }, { done: true })','vue.useDLE(Todos.partialUpdate, { id: 5 }, { done: true })','react.useSuspense(Todos.create, { title: "" })','controller.query(Todos.create, { title: "" })', 'react.useSuspense([getMe], [Todos.partialUpdate, { id: 5 }, {}])',
    'react.useQuery(Todos.get, { id: 5 })','vue.useQuery(Todos.get, { id: 5 })','svelte.useQuery(Todos.get, () => [{ id: 5 }])','controller.get(Todos.get, { id: 5 })','controller.select(getMe)','new Collection(Todo)', 'new Collection(new Union({todo: Todo}, "kind" as never))', 'new Collection({todos: [Todo]})']) {
    console.log(code + '\n' + JSON.stringify(editor.complaints(code), null, 1))
  }
  for (const code of ['Todos.get|', 'Todos.getList|', 'Todos.partialUpdate|', 'getMe|', 'const e| = new RestEndpoint({ path: "/a" })','const e| = new Endpoint(async (a: {id: string}) => ({ x: 1}), { name: "e" })', 'Todos|', 'Todos.getList.push|'])
    console.log(code + '\n' + editor.hover(code))
})
