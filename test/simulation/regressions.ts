import type { Target } from './domain.js'
import type { Command, Program } from './program.js'

/** A program that once went wrong. */
export interface Regression {
  readonly what: string
  readonly program: Program
  /** The law that it broke; without one, what holds of every single program. */
  readonly law?: string
}

const LIST_OF_X: Target = { read: 'list', group: 'x' }

/** All of them, as short as they could be made; they run before any new program. */
export const REGRESSIONS: readonly Regression[] = [
  {
    what: 'a row that is deleted, created again and moved, all of which waits, stays when the move is answered first',
    program: programWith({}, [
      edit({ deed: 'delete', id: '2', values: {}, answer: 'full', into: 'map' }, true),
      edit({ deed: 'create', id: '2', values: { a: 22, b: 23 }, answer: 'full', into: 'map' }, true),
      { do: 'subscribe', target: { read: 'item', id: '2' } },
      edit({ deed: 'move', id: '2', group: 'x', values: {}, answer: 'full', into: 'map' }, true),
    ]),
  },
  {
    what: 'a reader that waits for its own fetch is not shown data, untold, because another answer refreshed the row',
    program: programWith({ invalidIfStale: true, dataExpiryLength: Number.POSITIVE_INFINITY }, [
      edit({ deed: 'create', id: '2', values: { a: 1, b: 2 }, answer: 'partial' }, true),
      { do: 'subscribe', target: { read: 'item', id: '2' } },
      edit({ deed: 'patch', id: '2', values: { a: 5, b: 6 }, answer: 'partial' }),
      { do: 'subscribe', target: { read: 'list' } },
    ]),
  },
  {
    what: 'a request that took too long has ended before the next one is sent',
    program: programWith({ timeout: 3_000 }, [
      { do: 'subscribe', target: { read: 'item', id: '..' } },
      { do: 'invalidate all', read: 'item' },
      { do: 'advance', ms: 6_000 },
    ]),
  },
  {
    what: 'load() settles when its request is aborted since nobody mounted',
    program: programWith({ abortOnUnused: true }, [
      { do: 'load', target: { read: 'list' } },
      { do: 'advance', ms: 31_000 },
    ]),
  },
  {
    what: 'load() settles when the store is reset and nobody is there to ask again',
    program: programWith({}, [
      { do: 'load', target: { read: 'list', group: 'y' } },
      { do: 'advance', ms: 70_000 },
      { do: 'reset' },
    ]),
  },
  {
    what: 'load() settles when those have left who would have asked again',
    program: programWith({ invalidIfStale: true }, [
      { do: 'subscribe', target: { read: 'list', group: 'x' } },
      { do: 'invalidate', target: { read: 'list', group: 'x' } },
      { do: 'load', target: { read: 'list', group: 'x' } },
      { do: 'unsubscribe', pick: 0 },
    ]),
  },
  {
    what: 'what a pending deletion hides is not asked for again and again',
    program: programWith({}, [
      edit({ deed: 'create', id: '1', values: { a: 1 }, answer: 'full' }),
      { do: 'deliver', pick: 0, fault: 'none' },
      edit({ deed: 'delete', id: '1', values: {}, answer: 'partial' }, true),
      { do: 'subscribe', target: { read: 'item', id: '1' } },
    ]),
  },
  {
    what: 'a pending edit shows the fields that the answer of a later edit did not tell of',
    program: programWith({}, [
      { do: 'subscribe', target: { read: 'item', id: 1 } },
      edit({ deed: 'create', id: 1, values: { a: 4, b: 5 }, answer: 'partial' }, true),
      edit({ deed: 'unshift', id: 1, values: { a: 8 }, answer: 'partial' }),
      { do: 'deliver', pick: 2, fault: 'none' },
    ]),
  },
  {
    what: 'a pending edit gives way to the answer of a later one also where that changed nothing',
    program: programWith({ invalidIfStale: true }, [
      edit({ deed: 'increment', id: 'toString', values: {}, answer: 'full' }, true),
      edit({ deed: 'create', id: 'toString', values: { a: 4, b: 5 }, answer: 'full' }, true),
      { do: 'fetch', target: { read: 'item', id: 'toString' } },
      { do: 'subscribe', target: { read: 'list', group: 'y' } },
    ]),
  },
  {
    what: 'a field that a read brings first is not taken for one that an edit of the row told of',
    program: {
      ...programWith({}, [
        { do: 'subscribe', target: { read: 'item', id: 'constructor' } },
        edit({ deed: 'patch', id: 'constructor', group: 'x', values: { b: 3 }, answer: 'partial' }, true),
        { do: 'deliver', pick: 0, fault: 'none' },
        { do: 'fetch', target: { read: 'item', id: 'constructor' } },
        edit({ deed: 'unshift', id: 'constructor', values: { a: 4 }, answer: 'partial' }, true),
      ]),
      isInOrder: false,
    },
  },
  {
    what: 'an answer wins over a later edit in the fields that only a read has told of',
    program: {
      ...programWith({ invalidIfStale: true, isSoft: true }, [
        edit({ deed: 'remove', id: 'toString', values: {}, answer: 'full' }, true),
        {
          do: 'elsewhere',
          edit: { deed: 'create', id: 'toString', group: 'x', values: { a: 4, b: 5 }, answer: 'full' },
        },
        { do: 'subscribe', target: { read: 'item', id: 'toString' } },
        edit({ deed: 'patch', id: 'toString', group: 'x', values: { a: 10 }, answer: 'partial' }, true),
      ]),
      isInOrder: false,
    },
  },
  {
    what: 'a member that a later edit moved stays away though that edit is long over when an earlier one is answered',
    program: programWith({}, [
      edit({ deed: 'create', id: '__proto__', values: { a: 6 }, answer: 'full' }, true),
      edit({ deed: 'move', id: '__proto__', group: 'x', values: {}, answer: 'partial' }, true),
      { do: 'deliver', pick: 1, fault: 'malformed' },
      { do: 'subscribe', target: { read: 'list', group: 'y' } },
      { do: 'deliver', pick: 0, fault: 'none' },
    ]),
  },
  {
    what: 'an error that a query has seen to be over does not come back with the clock',
    program: programWith({ isSoft: true }, [
      { do: 'subscribe', target: { read: 'item', id: '1' } },
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'advance', ms: 70_000 },
      { do: 'subscribe', target: { read: 'item', id: '1' } },
      { do: 'jump', ms: -3_600_000 },
    ]),
  },
  {
    what: 'whoever waits for an older request before asking again asks when it is over, though its answer came too late',
    program: programWith({}, [
      { do: 'fetch', target: { read: 'list' } },
      { do: 'set answer', target: { read: 'list' }, value: 1 },
      { do: 'invalidate all', read: 'list' },
      { do: 'load', target: { read: 'list' } },
    ]),
  },
  {
    what: 'a field that was never kept is no reason to hide a pending edit of it',
    program: {
      ...programWith({ dataExpiryLength: Number.POSITIVE_INFINITY, abortOnUnused: true }, [
        edit({ deed: 'unshift', id: '1', group: 'x', values: { b: 8 }, answer: 'full' }, true),
        { do: 'deliver', pick: 0, fault: 'none' },
        edit({ deed: 'unshift', id: '1', values: { a: 9, b: 10 }, answer: 'full' }, true),
        edit({ deed: 'create', id: '1', values: { a: 11, b: 12 }, answer: 'full' }),
        edit({ deed: 'delete', id: '1', values: {}, answer: 'empty' }),
        { do: 'subscribe', target: { read: 'list' } },
      ]),
      isInOrder: false,
    },
  },
  {
    what: 'load() changes nothing for those who are mounted without telling them',
    program: programWith({ invalidIfStale: true }, [
      { do: 'expire all', read: 'item' },
      edit({ deed: 'create', id: '1', values: { a: 1 }, answer: 'full' }, true),
      { do: 'deliver', pick: 0, fault: 'malformed' },
      { do: 'fetch', target: { read: 'item', id: '2' } },
      { do: 'subscribe', target: { read: 'item', id: 1 } },
      edit({ deed: 'patch', id: 1, values: { a: 10, b: 11 }, answer: 'full' }, true),
      { do: 'deliver', pick: 2, fault: 'none' },
      { do: 'load', target: { read: 'item', id: 1 } },
    ]),
  },
  {
    what: 'whoever waits for longer than a lease is told',
    program: programWith({}, [
      { do: 'load', target: { read: 'stats' } },
      { do: 'advance', ms: 31_000 },
    ]),
  },
  {
    what: 'whoever watches whether a key is fetched hears that a reset ended it',
    program: programWith({}, [
      { do: 'fetch', target: { read: 'page', group: 'y' } },
      { do: 'watch fetching', target: { read: 'page', group: 'y' } },
      { do: 'reset' },
    ]),
  },
  {
    what: 'a list that knows who is in it shows what was pending when it came',
    program: {
      ...programWith({ keeps: true }, [
        edit({ deed: 'patch', id: 'constructor', values: { a: 1 }, answer: 'partial' }, true),
        { do: 'subscribe', target: { read: 'list' } },
      ]),
      isInOrder: false,
    },
  },
  {
    what: 'a result whose request ended without a change is collected',
    program: programWith({ retention: 200, ticks: 201, abortOnUnused: true }, [
      { do: 'fetch', target: { read: 'stats' } },
      { do: 'set answer', target: { read: 'stats' }, value: 2 },
    ]),
  },
  {
    what: 'a creation that is answered after a later deletion does not come over what was created since',
    program: programWith({ dataExpiryLength: 0, isSoft: true }, [
      edit({ deed: 'create', id: '0', group: 'x', values: { b: 1 }, answer: 'partial', into: 'map' }),
      { do: 'subscribe', target: { read: 'box', group: 'x' } },
      { do: 'subscribe', target: { read: 'map' } },
      edit({ deed: 'delete', id: '0', group: 'x', values: {}, answer: 'empty', into: 'map' }, true),
      edit({ deed: 'create', id: '0', group: 'x', values: { a: 4 }, answer: 'partial', into: 'map' }),
      { do: 'load', target: { read: 'map', group: 'y' } },
      { do: 'deliver', pick: 7, fault: 'none' },
      { do: 'deliver', pick: 6, fault: 'none' },
      { do: 'deliver', pick: 2, fault: 'lost answer' },
      { do: 'fetch', target: { read: 'map' } },
    ]),
  },
  {
    what: 'what an edit brought into a list that is still under way is not collected',
    program: programWith({ dataExpiryLength: 1_000, retention: 200, ticks: 201 }, [
      { do: 'subscribe', target: { read: 'list' } },
      edit({ deed: 'patch', id: '..', group: 'x', values: { a: 1 }, answer: 'partial' }, true),
      { do: 'fetch', target: { read: 'list', group: 'x' } },
      { do: 'deliver', pick: 2, fault: 'none' },
      edit({ deed: 'create', id: '\ud800', group: 'x', values: { b: 2 }, answer: 'full' }, true),
      { do: 'deliver', pick: 5, fault: 'none' },
      edit({ deed: 'move', id: '\ud800', group: 'y', values: {}, answer: 'partial' }, true),
    ]),
  },
  {
    what: 'nobody is told of what was shown for a moment only, before it was found to be stale',
    program: {
      ...programWith({ dataExpiryLength: 1_000, invalidIfStale: true, keeps: true, retention: 200, ticks: 201 }, [
        edit({ deed: 'create', id: 'a|b', values: { b: 1 }, answer: 'partial' }),
        edit({ deed: 'remove', id: 'toString', group: 'x', values: {}, answer: 'partial' }, true),
        { do: 'fetch', target: { read: 'box', group: 'y' } },
        { do: 'subscribe', target: { read: 'list', group: 'y' } },
        { do: 'deliver', pick: 0, fault: 'none' },
        { do: 'fetch', target: { read: 'list', group: 'y' } },
        { do: 'deliver', pick: 0, fault: 'none' },
        { do: 'invalidate all', read: 'list' },
        edit({ deed: 'patch', id: 'a|b', values: { a: 4 }, answer: 'partial' }, true),
        { do: 'deliver', pick: 2, fault: 'malformed' },
        { do: 'apply', pick: 7 },
        { do: 'invalidate all', read: 'box' },
        { do: 'deliver', pick: 0, fault: 'none' },
        { do: 'set answer', target: { read: 'box', group: 'y' }, value: 5 },
      ]),
      isInOrder: false,
    },
  },
  {
    what: 'a key stays invalidated while a request is under way that may bring its rows, though nobody needs it',
    law: 'what is watched is shown the same, whether all else is collected at once or never',
    program: programWith({ dataExpiryLength: 1_000, timeout: 3_000, retention: 200, ticks: 120 }, [
      { do: 'fetch', target: { read: 'page', group: 'y', page: 1 } },
      { do: 'compare readers' },
      { do: 'invalidate', target: { read: 'page', group: 'y', page: 2 } },
      { do: 'subscribe', target: { read: 'page', group: 'y', page: 2 } },
      { do: 'deliver', pick: 0, fault: 'none' },
    ]),
  },
  {
    what: 'a row looks the same, down to the order of its fields, whoever looked at which other rows before',
    law: 'watched or not, the same screens',
    program: {
      ...programWith({ dataExpiryLength: 1_000, handsOver: true }, [
        { do: 'subscribe', target: { read: 'item', id: '\ud800' } },
        { do: 'set answer', target: { read: 'item', id: 'a|b' }, value: 3 },
        edit({ deed: 'create', id: undefined, values: { b: 4 }, answer: 'full' }, true),
        edit({ deed: 'move', id: 'constructor', group: 'x', values: { a: 8, b: 9 }, answer: 'partial' }, true),
        edit({ deed: 'patch', id: 'constructor', group: 'x', values: { b: 14 }, answer: 'full' }, true),
        { do: 'elsewhere', edit: { deed: 'create', id: 'a|b', group: 'x', values: { b: 15 }, answer: 'full' } },
        edit({ deed: 'patch', id: 'a|b', values: { a: 16 }, answer: 'empty' }, true),
        { do: 'subscribe', target: { read: 'item', id: 'a|b' } },
        edit({ deed: 'create', id: '\ud800', group: 'x', values: { b: 18 }, answer: 'full' }, true),
        { do: 'fetch', target: { read: 'list' } },
      ]),
      isInOrder: false,
    },
  },
  {
    what: 'a layer that runs again does not take for server state what another one had below it before',
    law: 'watched or not, the same screens',
    program: programWith({ dataExpiryLength: 1_000, invalidIfStale: true }, [
      { do: 'fetch', target: { read: 'map', group: 'y' } },
      edit({ deed: 'assign', id: 3, group: 'y', values: { a: 2, b: 3 }, answer: 'partial', into: 'map' }, true),
      edit({ deed: 'delete', id: 3, group: 'y', values: { a: 4 }, answer: 'empty', into: 'map' }, true),
      edit({ deed: 'create', id: 3, group: 'x', values: { a: 5 }, answer: 'full', into: 'map' }, true),
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'subscribe', target: { read: 'map', group: 'x' } },
      { do: 'deliver', pick: 1, fault: 'none' },
    ]),
  },
  {
    what: 'a row that is shown for a call keeps its instance, whatever retention collects meanwhile',
    program: programWith({ dataExpiryLength: 60_000, retention: 200, ticks: 201 }, [
      { do: 'subscribe', target: { read: 'board', group: 'x', league: 'first' } },
      { do: 'deliver', pick: 2, fault: 401 },
      { do: 'fetch if stale', target: { read: 'scores', league: 'first' } },
      { do: 'fetch', target: { read: 'board', group: 'x', league: 'second' } },
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'subscribe', target: { read: 'board', group: 'x', league: 'first' } },
    ]),
  },
  {
    what: 'the body of a move that is answered without one loses to a later edit, in lists that know their members',
    program: {
      ...programWith({ keeps: true }, [
        { do: 'subscribe', target: { read: 'list', group: 'y' } },
        edit({ deed: 'move', id: 'a/b', group: 'x', values: { a: 9 }, answer: 'empty', into: 'feed', type: 'item' }),
        edit({ deed: 'put first', id: 'a/b', values: { a: 14 }, answer: 'full' }),
        { do: 'deliver', pick: 0, fault: 'none' },
      ]),
      isInOrder: false,
    },
  },
  {
    what: 'a list shows each member once after a failed edit, whatever was collected between two changes',
    program: programWith({ retention: 200, ticks: 120, keeps: true, handsOver: true }, [
      { do: 'subscribe', target: { read: 'list' } },
      { do: 'deliver', pick: 0, fault: 'none' },
      edit({ deed: 'create', id: 'a/b', group: 'x', values: { a: 1 }, answer: 'full' }),
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'subscribe', target: { read: 'list' } },
      edit({ deed: 'move', id: 1, values: { a: 2, b: 3 }, answer: 'full', into: 'map' }, true),
    ]),
  },
  {
    what: 'a page that is read again has the members that a mutation had put into the only page before',
    program: {
      ...programWith({ handsOver: true }, [
        { do: 'subscribe', target: { read: 'page', group: 'x', page: 1 } },
        { do: 'subscribe', target: { read: 'page', group: 'x' } },
        { do: 'deliver', pick: 1, fault: 'none' },
        { do: 'deliver', pick: 0, fault: 500 },
        edit({ deed: 'unshift', id: '\ud800', group: 'x', values: { b: 7 }, answer: 'full' }, true),
      ]),
      isInOrder: false,
    },
  },
  {
    what: 'a list with a member that nobody has loaded is hydrated as it is',
    program: programWith({}, [
      { do: 'subscribe', target: { read: 'map' } },
      { do: 'deliver', pick: 0, fault: 'none' },
      edit({ deed: 'move', id: 'constructor', values: { a: 15 }, answer: 'full', into: 'map' }, true),
      { do: 'deliver', pick: 0, fault: 'malformed' },
      { do: 'hydrate' },
    ]),
  },
  {
    what: 'a page that shows a row that is older than its invalidation is hydrated with it',
    program: {
      ...programWith({ isSoft: true, timeout: 3_000, retention: 200, ticks: 120, handsOver: true }, [
        edit({ deed: 'put first', id: 3, group: 'x', values: { b: 2 }, answer: 'full' }, true),
        edit({ deed: 'remove', id: 3, group: 'x', values: { a: 3 }, answer: 'partial' }, true),
        { do: 'subscribe', target: { read: 'page', group: 'x', page: 1 } },
        { do: 'deliver', pick: 4, fault: 'none' },
        { do: 'invalidate by', id: undefined },
        { do: 'deliver', pick: 1, fault: 'none' },
        { do: 'deliver', pick: 0, fault: 'none' },
        { do: 'deliver', pick: 0, fault: 'none' },
        { do: 'hydrate' },
      ]),
      isInOrder: false,
    },
  },
  {
    what: 'readers of what is gone already are told of nothing by another deletion',
    program: programWith({}, [
      edit({ deed: 'create', id: 1, values: { a: 1 }, answer: 'full' }),
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'subscribe', target: { read: 'item', id: 1 } },
      { do: 'deliver', pick: 0, fault: 'none' },
      edit({ deed: 'delete', id: 1, values: {}, answer: 'full' }),
      edit({ deed: 'create', id: 1, values: { a: 2 }, answer: 'full' }),
      edit({ deed: 'delete', id: 1, values: {}, answer: 'full' }),
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'advance', ms: 3_000 },
      { do: 'deliver', pick: 1, fault: 'none' },
    ]),
  },
  {
    what: 'a row is gone once the server says so, asked whether a deletion or a creation that crossed it came last',
    program: {
      ...programWith({}, [
        edit({ deed: 'delete', id: 1, values: {}, answer: 'partial' }),
        edit({ deed: 'create', id: 1, group: 'x', values: { a: 8 }, answer: 'full' }, true),
        { do: 'subscribe', target: { read: 'item', id: 1 } },
      ]),
      isInOrder: false,
    },
  },
  {
    what: 'a reader that has come to show an error is not asked for behind its back, since it showed contested data before',
    program: programWith({ isSoft: true, retention: 200, ticks: 120 }, [
      edit({ deed: 'increment', id: '0', values: { a: 4 }, answer: 'partial' }),
      edit({ deed: 'remove', id: '1', values: { b: 5 }, answer: 'full' }, true),
      { do: 'subscribe', target: { read: 'item', id: '1' } },
      edit({ deed: 'put first', id: '0', values: { a: 6, b: 7 }, answer: 'full' }, true),
      edit(
        {
          deed: 'create',
          id: '1',
          group: 'x',
          values: { b: 8 },
          answer: 'partial',
          also: { read: 'item', id: '1' },
        },
        true,
      ),
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'deliver', pick: 0, fault: 'none' },
      edit({
        deed: 'increment',
        id: '1',
        values: { b: 9 },
        answer: 'partial',
        also: { read: 'page', group: 'x' },
      }),
      { do: 'deliver', pick: 0, fault: 'none' },
      edit({ deed: 'increment', id: '0', group: 'x', values: { a: 10 }, answer: 'full' }),
      { do: 'deliver', pick: 2, fault: 'none' },
      edit({
        deed: 'increment',
        id: '0',
        group: 'x',
        values: { b: 11 },
        answer: 'full',
        also: { read: 'item', id: '0' },
      }),
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'fetch', target: { read: 'item', id: '1' } },
      { do: 'subscribe', target: { read: 'page', group: 'y' } },
      edit({ deed: 'delete', id: '0', values: { b: 13 }, answer: 'empty' }, true),
      { do: 'deliver', pick: 6, fault: 401 },
      edit({ deed: 'delete', id: '1', group: 'x', values: { a: 15 }, answer: 'empty' }, true),
    ]),
  },
  {
    what: 'a reader that shows an error of its own goes on to show it while its row is collected',
    program: programWith({ dataExpiryLength: 0, timeout: 3_000, retention: 5_000, keeps: true }, [
      { do: 'subscribe', target: { read: 'item', id: 'toString' } },
      { do: 'deliver', pick: 0, fault: 'none' },
      edit({ deed: 'create', id: 'toString', values: { b: 4 }, answer: 'full' }, true),
      edit({ deed: 'patch', id: 'toString', values: { a: 5 }, answer: 'full' }, true),
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'deliver', pick: 3, fault: 'empty' },
      { do: 'fetch', target: { read: 'item', id: 'toString' } },
      edit({ deed: 'delete', id: 'toString', group: 'x', values: { b: 9 }, answer: 'partial' }, true),
    ]),
  },
  {
    what: 'a list is read without a row that was created before, deleted and changed at once: its own state changes nothing',
    program: {
      ...programWith({ keeps: true, revalidates: true }, [
        edit({ deed: 'create', id: 'a|b', group: 'x', values: { a: 1 }, answer: 'partial' }, true),
        { do: 'deliver', pick: 0, fault: 'none' },
        { do: 'subscribe', target: { read: 'list', group: 'x' } },
        edit({ deed: 'delete', id: 'a|b', group: 'x', values: {}, answer: 'partial' }),
        edit({ deed: 'patch', id: 'a|b', values: { a: 6 }, answer: 'partial' }),
        { do: 'hydrate' },
      ]),
      isInOrder: false,
    },
  },
  {
    what: 'a list of all rows takes in who is moved to where it was',
    program: programWith({ keeps: true }, [
      edit({ deed: 'create', id: 1, group: 'x', values: { a: 5, b: 6 }, answer: 'full' }, true),
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'set answer', target: { read: 'list' }, value: 13 },
      { do: 'subscribe marked', target: { read: 'list' } },
      edit({ deed: 'move', id: 1, group: 'x', values: {}, answer: 'partial', into: 'feed', type: 'item' }, true),
    ]),
  },
  {
    what: 'a list that comes with the answer of a move has whom the server has moved, though a later edit says otherwise',
    law: 'watched or not, the same screens',
    program: {
      ...programWith({ dataExpiryLength: 0 }, [
        edit({ deed: 'move', id: 1, group: 'x', values: {}, answer: 'partial', also: LIST_OF_X }, true),
        edit({ deed: 'put first', id: 1, values: { a: 4, b: 5 }, answer: 'partial' }, true),
      ]),
      isInOrder: false,
    },
  },
  {
    what: 'a list that was requested before a move ended takes in the row, though the response of the move says nothing of it',
    law: 'watched or not, the same screens',
    program: programWith({ dataExpiryLength: 0, isSoft: true, keeps: true }, [
      edit(
        { deed: 'move', id: '1', group: 'x', values: { a: 5 }, answer: 'partial', into: 'feed', type: 'item' },
        true,
      ),
      { do: 'fetch', target: { read: 'list' } },
      { do: 'set', target: { read: 'item', id: '1' }, value: 6 },
      { do: 'deliver', pick: 0, fault: 'malformed' },
    ]),
  },
  {
    what: 'a row that is deleted after its error was over is shown without it',
    program: programWith({ dataExpiryLength: 0, retention: 200, ticks: 201, keeps: true, revalidates: true }, [
      edit({ deed: 'unshift', id: 1, values: { b: 1 }, answer: 'full', into: 'map' }, true),
      { do: 'subscribe', target: { read: 'item', id: 1 } },
      { do: 'go offline' },
      { do: 'set error', target: { read: 'item', id: 1 } },
      { do: 'deliver', pick: 0, fault: 'none' },
      edit({ deed: 'delete', id: 1, values: {}, answer: 'partial', into: 'map' }),
    ]),
  },
]

function programWith(traits: Partial<Program['traits']>, commands: readonly Command[]): Program {
  const usual = { dataExpiryLength: 60_000, invalidIfStale: false, abortOnUnused: false, isSoft: false } as const
  return { isInOrder: true, traits: { ...usual, timeout: undefined, retention: false, ...traits }, commands }
}

type EditCommand = Extract<Command, { do: 'edit' }>

function edit(given: Omit<EditCommand['edit'], 'group'> & { group?: string }, isOptimistic = false): EditCommand {
  return { do: 'edit', edit: { group: 'y', ...given }, isOptimistic }
}
