// What short examples in React talk about without making it.
import type { Fixture } from '@roundtable/core/testing'
import type { ReactNode } from 'react'
import { getTodo, type Todo, type User } from './todos.js'

export { Suspense } from 'react'
export { createRoot } from 'react-dom/client'

export const element: HTMLElement = document.body
export const query: string = ''
export const text: string = ''
export const fixtures: readonly Fixture[] = [{ endpoint: getTodo, args: [{ id: 5 }], response: { id: 5 } }]

export const App = (): ReactNode => null
export const Spinner = (): ReactNode => null
export const Todos = (): ReactNode => null
export const SignIn = (): ReactNode => null
export const Avatar = (_props: { user: User }): ReactNode => null
export const TodoView = (_props: { promise: Promise<Todo> }): ReactNode => null
