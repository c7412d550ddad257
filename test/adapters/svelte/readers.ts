import type { Component } from 'svelte'
import type { Hook, View } from '../harness.js'
import CacheReader from './cache-reader.svelte'
import CancellingDleReader from './cancelling-dle-reader.svelte'
import CancellingReader from './cancelling-reader.svelte'
import ConnectionReader from './connection-reader.svelte'
import DebounceReader from './debounce-reader.svelte'
import DleReader from './dle-reader.svelte'
import ErrorReader from './error-reader.svelte'
import FetchReader from './fetch-reader.svelte'
import FetchingReader from './fetching-reader.svelte'
import type { Handle } from './handle.svelte.js'
import KnownReader from './known-reader.svelte'
import LiveQueryer from './live-reader.svelte'
import LoadingReader from './loading-reader.svelte'
import MutatingReader from './mutating-reader.svelte'
import OutboxReader from './outbox-reader.svelte'
import PagesReader from './pages-reader.svelte'
import ParallelReader from './parallel-reader.svelte'
import PendingReader from './pending-reader.svelte'
import QueryReader from './query-reader.svelte'
import SubscriptionReader from './subscription-reader.svelte'
import SuspenseReader from './suspense-reader.svelte'

/** The props of a reader. */
export interface ReaderProps {
  readonly view: View
  readonly handle: Handle
}

// The props of a .svelte file are checked by Svelte's own compiler.
export const readers: Record<Hook, Component<ReaderProps>> = {
  suspense: SuspenseReader,
  parallel: ParallelReader,
  dle: DleReader,
  cache: CacheReader,
  query: QueryReader,
  connection: ConnectionReader,
  outbox: OutboxReader,
  pending: PendingReader,
  live: LiveQueryer,
  subscription: SubscriptionReader,
  cancelling: CancellingReader,
  'cancelling-dle': CancellingDleReader,
  fetch: FetchReader,
  loading: LoadingReader,
  debounce: DebounceReader,
  known: KnownReader,
  fetching: FetchingReader,
  mutating: MutatingReader,
  error: ErrorReader,
  pages: PagesReader,
} as unknown as Record<Hook, Component<ReaderProps>>
