// What short examples in Vue talk about without making it.
import type { Fixture } from '@roundtable/core/testing'
import { defineComponent, type Ref, ref, shallowReactive } from 'vue'
import { getTodo } from './todos.js'

export { computed, createApp } from 'vue'

export const props: { id: number } = shallowReactive({ id: 5 })
export const query: Ref<string> = ref('')
export const text: Ref<string> = ref('')
export const fixtures: readonly Fixture[] = [{ endpoint: getTodo, args: [{ id: 5 }], response: { id: 5 } }]

export const App = defineComponent(() => () => null)
export const Spinner = defineComponent(() => () => null)
export const Todos = defineComponent(() => () => null)
