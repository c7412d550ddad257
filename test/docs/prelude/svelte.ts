// What short examples in Svelte talk about without making it.
import type { Fixture } from '@roundtable/core/testing'
import type { Component } from 'svelte'
import { getTodo } from './todos.js'

export const query: string = ''
export const text: string = ''
export const fixtures: readonly Fixture[] = [{ endpoint: getTodo, args: [{ id: 5 }], response: { id: 5 } }]

/** The examples are compiled, not run. */
declare const component: Component

export { component as Spinner, component as Todos }
