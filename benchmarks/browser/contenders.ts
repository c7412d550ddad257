import type { App } from './page/app.js'

/** A library in a framework. */
export interface Contender {
  readonly name: string
  readonly framework: 'React' | 'Vue' | 'Svelte'
  readonly library: string
  load(): Promise<{ readonly app: App }>
}

type Load = Contender['load']

function contender(framework: Contender['framework'], library: string, load: Load): Contender {
  return { name: `${framework}, ${library}`, framework, library, load }
}

/** What ours is called in the tables. */
export const OURS = 'Roundtable'
const QUERY = 'TanStack Query'
const BY_HAND = 'TanStack Query, by hand'

/** Everybody who is measured. */
export const contenders: readonly Contender[] = [
  contender('React', OURS, () => import('./react/roundtable.js')),
  contender('React', QUERY, () => import('./react/tanstack-query.js')),
  contender('React', BY_HAND, () => import('./react/tanstack-query-by-hand.js')),
  contender('React', 'SWR', () => import('./react/swr.js')),
  contender('React', 'plain useEffect', () => import('./react/use-effect.js')),
  contender('Vue', OURS, () => import('./vue/roundtable.js')),
  contender('Vue', QUERY, () => import('./vue/tanstack-query.js')),
  contender('Vue', BY_HAND, () => import('./vue/tanstack-query-by-hand.js')),
  contender('Vue', 'Pinia Colada', () => import('./vue/pinia-colada.js')),
  contender('Svelte', OURS, () => import('./svelte/roundtable.js')),
  contender('Svelte', QUERY, () => import('./svelte/tanstack-query.js')),
  contender('Svelte', BY_HAND, () => import('./svelte/tanstack-query-by-hand.js')),
]
