import type { Component } from 'svelte'
import type { Hook, View } from '../harness.js'
import CacheReader from './cache-reader.svelte'
import DleReader from './dle-reader.svelte'
import type { Handle } from './handle.svelte.js'
import LiveReader from './live-reader.svelte'
import QueryReader from './query-reader.svelte'
import SubscriptionReader from './subscription-reader.svelte'
import SuspenseReader from './suspense-reader.svelte'

/** What a reader is given. */
export interface ReaderProps {
  readonly view: View
  readonly handle: Handle
}

export const readers = {
  suspense: SuspenseReader,
  dle: DleReader,
  cache: CacheReader,
  query: QueryReader,
  live: LiveReader,
  subscription: SubscriptionReader,
} as Record<Hook, Component<ReaderProps>>
