import { apollo } from './apollo.js'
import { dataClient } from './data-client.js'
import { graphcache } from './graphcache.js'
import { normalizr } from './normalizr.js'
import { ours } from './ours.js'
import type { Peer } from './peer.js'
import { queryCore } from './query-core.js'
import { reduxToolkit } from './redux-toolkit.js'
import { relay } from './relay.js'

/** All libraries that are measured: ours first, the nearest next. */
export const peers: readonly Peer[] = [ours, dataClient, normalizr, queryCore, reduxToolkit, apollo, relay, graphcache]
