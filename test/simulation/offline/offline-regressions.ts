import type { OfflineProgram } from './offline-program.js'

/** A program that once went wrong. */
export interface OfflineRegression {
  readonly what: string
  readonly program: OfflineProgram
}

/** All of them, as short as they could be made; they run before any new program. */
export const OFFLINE_REGRESSIONS: readonly OfflineRegression[] = [
  {
    what: 'an edit of a row that came with no-store is stored without what its user has seen',
    program: programWith({ careful: 'asks' }, [
      { do: 'fetch', tab: 0, id: 3 },
      { do: 'deliver', tab: 0, pick: 0, fault: 'no-store' },
      { do: 'edit', tab: 0, id: 3, field: 'title' },
    ]),
  },
  {
    what: 'no temporary key is sent for a row whose creation a crash has lost',
    program: programWith({ careful: 'overwrites', keptLists: true }, [
      { do: 'create', tab: 0, list: 'y' },
      { do: 'crash in', tab: 0, points: 6, fate: 'torn' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'edit', tab: 0, id: 3, field: 'note' },
      { do: 'move new', tab: 0, pick: 0 },
    ]),
  },
  {
    what: 'no temporary key is sent for a row whose creation was refused in an earlier page',
    program: programWith({ maxAttempts: 2 }, [
      { do: 'crash in', tab: 0, points: 4, fate: 'whole' },
      { do: 'create', tab: 0, list: 'x' },
      { do: 'reload', tab: 0, how: 'closed', fate: 'whole', version: 0, user: 0 },
      { do: 'crash in', tab: 0, points: 1, fate: 'lost' },
      { do: 'fetch list', tab: 0, list: 'x' },
      { do: 'delete new', tab: 0, pick: 0 },
    ]),
  },
  {
    what: 'what is sent again waits for what is on its way to the same URL',
    program: programWith({}, [
      { do: 'move', tab: 0, id: 3, list: 'x' },
      { do: 'reload', tab: 0, how: 'crashed', fate: 'torn', version: 0, user: 0 },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'put', tab: 0, id: 3, field: 'note' },
      { do: 'deliver', tab: 0, pick: 0, fault: 413 },
      { do: 'retry', tab: 0, pick: 0 },
    ]),
  },
  {
    what: 'what a reset has put aside is sent before what was changed since',
    program: programWith({}, [
      { do: 'edit', tab: 0, id: 4, field: 'note' },
      { do: 'log out', tab: 0 },
      { do: 'move', tab: 0, id: 4, list: 'x' },
    ]),
  },
  {
    what: 'an edit of a new row is sent after a restart with the key that the end of its creation tells',
    program: programWith({}, [
      { do: 'create', tab: 0, list: 'x' },
      { do: 'edit new', tab: 0, pick: 0 },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'reload', tab: 0, how: 'crashed', fate: 'lost', version: 0, user: 0 },
    ]),
  },
  {
    what: 'a tab of another version that tells of a mutation has not stored its rows for this one',
    program: programWith({ tabs: 2, hasLocks: false }, [
      { do: 'edit', tab: 0, id: 5, field: 'title' },
      { do: 'create', tab: 0, list: 'x' },
      { do: 'open', tab: 0, version: 1, user: 0 },
    ]),
  },
  {
    what: 'a tab that lets go of the lock asks for it again before it sends',
    program: programWith({ keptLists: true, tabs: 2, maxAttempts: 2 }, [
      { do: 'create', tab: 0, list: 'x' },
      { do: 'delete new', tab: 0, pick: 0 },
      { do: 'open', tab: 0, version: 0, user: 0 },
    ]),
  },
  {
    what: 'what is learned after forget is not deleted with what was there before',
    program: programWith({}, [
      { do: 'disk is slow', tab: 0 },
      { do: 'put', tab: 0, id: 2, field: 'note' },
      { do: 'edit', tab: 0, id: 4, field: 'title' },
      { do: 'forget', tab: 0 },
      { do: 'fetch list', tab: 0, list: 'x' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
    ]),
  },
  {
    what: 'a list that was read before a mutation of another tab was known does not undo it in the log',
    program: programWith({ careful: 'asks', tabs: 2 }, [
      { do: 'put', tab: 0, id: 1, field: 'note' },
      { do: 'open', tab: 0, version: 0, user: 0 },
      { do: 'move', tab: 0, id: 5, list: 'x' },
      { do: 'fetch list', tab: 3, list: 'y' },
    ]),
  },
  {
    what: 'what another tab has sent lies below what was made since, though that tab has opened later',
    program: programWith({ tabs: 2, maxAttempts: 2, dataExpiryLength: Number.MAX_SAFE_INTEGER }, [
      { do: 'watch', tab: 0, id: 4 },
      { do: 'put', tab: 0, id: 6, field: 'note' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'deliver', tab: 0, pick: 0, fault: 401 },
      { do: 'edit', tab: 0, id: 3, field: 'note' },
      { do: 'open', tab: 0, version: 0, user: 0 },
    ]),
  },
  {
    what: 'rows that a tab has read of a summary, in which the answer was too long to stay, are not stored again by it',
    program: programWith({ isBulky: true, tabs: 2, dataExpiryLength: Number.MAX_SAFE_INTEGER }, [
      { do: 'edit', tab: 0, id: 5, field: 'note' },
      { do: 'open', tab: 0, version: 0, user: 0 },
      { do: 'edit', tab: 0, id: 5, field: 'title' },
      { do: 'put', tab: 3, id: 6, field: 'note' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'edit', tab: 0, id: 6, field: 'note' },
    ]),
  },
  {
    what: 'without locks a tab ends its request when another one tells of the answer',
    program: programWith({ tabs: 2, hasLocks: false, careful: 'asks' }, [
      { do: 'create', tab: 0, list: 'y' },
      { do: 'edit new', tab: 0, pick: 0 },
      { do: 'create', tab: 0, list: 'y' },
      { do: 'deliver', tab: 0, pick: 0, fault: 404 },
      { do: 'open', tab: 0, version: 0, user: 0 },
      { do: 'create', tab: 0, list: 'x' },
      { do: 'retry', tab: 0, pick: 0 },
      { do: 'put', tab: 0, id: 5, field: 'note' },
    ]),
  },
  {
    what: 'what an earlier page has left is forgotten, also before a slow disk has told of it',
    program: programWith({}, [
      { do: 'delete', tab: 0, id: 3 },
      { do: 'deliver', tab: 0, pick: 0, fault: 409 },
      { do: 'disk is slow', tab: 0 },
      { do: 'close', tab: 0, how: 'closed', fate: 'lost' },
      { do: 'forget', tab: 0 },
    ]),
  },
  {
    what: 'what names a new row is sent also by a tab to which nobody has told the answer of its creation, but its key',
    program: programWith({ luck: 981, isBulky: true, tabs: 3, dataExpiryLength: 1000 }, [
      { do: 'create', tab: 0, list: 'y' },
      { do: 'open', tab: 0, version: 0, user: 0 },
      { do: 'edit', tab: 0, id: 5, field: 'note' },
      { do: 'edit new', tab: 0, pick: 0 },
    ]),
  },
  {
    what: 'a mutation that a reset has put aside goes on when it is resumed, though its aborted request ends after that',
    program: programWith(
      { luck: 851, careful: 'overwrites', tabs: 2, maxAttempts: 2, dataExpiryLength: Number.MAX_SAFE_INTEGER },
      [
        { do: 'open', tab: 0, version: 0, user: 0 },
        { do: 'create', tab: 0, list: 'x' },
        { do: 'disk is full', tab: 0 },
        { do: 'log out', tab: 0 },
      ],
    ),
  },
  {
    what: 'what two tabs send again at the same moment is sent once',
    program: programWith({ luck: 320, tabs: 2, dataExpiryLength: Number.MAX_SAFE_INTEGER }, [
      { do: 'create', tab: 0, list: 'y' },
      { do: 'deliver', tab: 0, pick: 0, fault: 412 },
      { do: 'open', tab: 0, version: 0, user: 1 },
      { do: 'reload', tab: 3, how: 'crashed', fate: 'lost', version: 0, user: 0 },
      { do: 'disk is slow', tab: 0 },
      { do: 'retry', tab: 1, pick: 0 },
      { do: 'retry', tab: 0, pick: 0 },
    ]),
  },
  {
    what: 'what was refused stays refused, though another tab tells of an attempt',
    program: programWith(
      { luck: 950, careful: 'asks', isBulky: true, tabs: 3, hasLocks: false, dataExpiryLength: 1000 },
      [
        { do: 'delete elsewhere', tab: 0, id: 6 },
        { do: 'put', tab: 0, id: 6, field: 'title' },
        { do: 'disk is full', tab: 0 },
        { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
        { do: 'open', tab: 0, version: 0, user: 0 },
      ],
    ),
  },
  {
    what: 'what is sent again shows on top of what was answered meanwhile, also in a page that opens then',
    program: programWith({ tabs: 3, dataExpiryLength: Number.MAX_SAFE_INTEGER }, [
      { do: 'edit', tab: 0, id: 1, field: 'title' },
      { do: 'deliver', tab: 0, pick: 0, fault: 409 },
      { do: 'edit', tab: 0, id: 1, field: 'note' },
      { do: 'retry', tab: 0, pick: 0 },
      { do: 'open', tab: 0, version: 0, user: 0 },
    ]),
  },
  {
    what: 'a record of a tab that had not read what was there at the start of another one replaces nothing there',
    program: programWith({ careful: 'asks', keptLists: true, tabs: 3, dataExpiryLength: 1_000 }, [
      { do: 'open', tab: 0, version: 0, user: 0 },
      { do: 'fetch', tab: 0, id: 1 },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'edit', tab: 1, id: 1, field: 'title' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'open', tab: 0, version: 0, user: 0 },
    ]),
  },
  {
    what: 'what a page puts back into a log that it has emptied is not there again after another page has told its end',
    program: programWith({ luck: 673, isBulky: true, tabs: 2, dataExpiryLength: Number.MAX_SAFE_INTEGER }, [
      { do: 'create', tab: 0, list: 'x' },
      { do: 'disk is full', tab: 0 },
      { do: 'open', tab: 0, version: 0, user: 0 },
      { do: 'log out', tab: 1 },
      { do: 'delete new', tab: 0, pick: 0 },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
    ]),
  },
  {
    what: 'a list that only one page has is stored with the row that another page has created',
    program: programWith(
      { luck: 217, careful: 'overwrites', isBulky: true, tabs: 3, dataExpiryLength: Number.MAX_SAFE_INTEGER },
      [
        { do: 'create', tab: 0, list: 'x' },
        { do: 'open', tab: 0, version: 0, user: 0 },
        { do: 'fetch list', tab: 3, list: 'x' },
        { do: 'deliver', tab: 0, pick: 1, fault: 'none' },
        { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
        { do: 'advance', tab: 0, ms: 60 },
      ],
    ),
  },
  {
    what: 'what a tab has just refused is not sent because of a summary that was written before it',
    program: programWith({ luck: 796, careful: 'asks', isBulky: true, tabs: 3, maxAttempts: 2 }, [
      { do: 'edit', tab: 0, id: 5, field: 'note' },
      { do: 'edit', tab: 0, id: 4, field: 'title' },
      { do: 'edit', tab: 0, id: 2, field: 'note' },
      { do: 'open', tab: 0, version: 1, user: 0 },
      { do: 'open', tab: 0, version: 0, user: 0 },
      { do: 'reload', tab: 0, how: 'crashed', fate: 'whole', version: 0, user: 0 },
      { do: 'disk is slow', tab: 0 },
      { do: 'put', tab: 1, id: 1, field: 'note' },
      { do: 'disk works', tab: 0, count: 2 },
      { do: 'reload', tab: 0, how: 'closed', fate: 'whole', version: 0, user: 0 },
      { do: 'delete', tab: 1, id: 5 },
      { do: 'edit', tab: 0, id: 5, field: 'title' },
    ]),
  },
  {
    what: 'what another page tells of a mutation is not stored again behind a later mutation of the row',
    program: programWith({ luck: 622, tabs: 3, maxAttempts: 2, dataExpiryLength: Number.MAX_SAFE_INTEGER }, [
      { do: 'edit', tab: 0, id: 3, field: 'note' },
      { do: 'create', tab: 0, list: 'x' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'edit', tab: 0, id: 3, field: 'title' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'open', tab: 0, version: 0, user: 0 },
      { do: 'edit', tab: 0, id: 6, field: 'note' },
      { do: 'disk is slow', tab: 0 },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'reload', tab: 0, how: 'crashed', fate: 'lost', version: 0, user: 0 },
      { do: 'watch list', tab: 1, list: 'x' },
      { do: 'delete', tab: 0, id: 2 },
      { do: 'deliver', tab: 0, pick: 5, fault: 'none' },
    ]),
  },
  {
    what: 'a row that came with no-store is not back at the next start once it was deleted',
    program: programWith({ luck: 530, keptLists: true }, [
      { do: 'create', tab: 0, list: 'x' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'put', tab: 0, id: 4, field: 'note' },
      { do: 'edit new', tab: 0, pick: 0 },
      { do: 'delete new', tab: 0, pick: 0 },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'no-store' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'reload', tab: 0, how: 'crashed', fate: 'lost', version: 0, user: 0 },
    ]),
  },
  {
    what: 'what a page stores late of a response that another one has told before does not bring back a row that was deleted since',
    program: programWith({ luck: 386, careful: 'overwrites', tabs: 2, hasLocks: false, dataExpiryLength: 1_000 }, [
      { do: 'fetch', tab: 0, id: 1 },
      { do: 'edit', tab: 0, id: 3, field: 'note' },
      { do: 'create', tab: 0, list: 'x' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'disk is full', tab: 0 },
      { do: 'open', tab: 0, version: 0, user: 0 },
      { do: 'delete new', tab: 0, pick: 0 },
      { do: 'edit', tab: 0, id: 1, field: 'title' },
      { do: 'deliver', tab: 0, pick: 4, fault: 'none' },
      { do: 'watch list', tab: 0, list: 'x' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'crash in', tab: 3, points: 3, fate: 'lost' },
      { do: 'disk is slow', tab: 0 },
      { do: 'deliver', tab: 0, pick: 2, fault: 'none' },
      { do: 'disk has room', tab: 0 },
      { do: 'create', tab: 0, list: 'y' },
      { do: 'crash in', tab: 0, points: 4, fate: 'torn' },
      { do: 'disk works', tab: 0, count: 4 },
    ]),
  },
  {
    what: 'what another tab has sent after a mutation that was made later is above that',
    program: programWith({ luck: 993, tabs: 2 }, [
      { do: 'open', tab: 0, version: 0, user: 0 },
      { do: 'disk is full', tab: 0 },
      { do: 'edit', tab: 1, id: 5, field: 'note' },
      { do: 'edit', tab: 0, id: 3, field: 'title' },
      { do: 'move', tab: 3, id: 6, list: 'y' },
    ]),
  },
  {
    what: 'a mutation that another page has made earlier shows what it changes, also above a later one that was answered before',
    program: programWith({ luck: 993, tabs: 2 }, [
      { do: 'open', tab: 0, version: 0, user: 0 },
      { do: 'disk is full', tab: 0 },
      { do: 'fetch list', tab: 0, list: 'x' },
      { do: 'edit', tab: 1, id: 5, field: 'note' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'lost answer' },
      { do: 'edit', tab: 0, id: 3, field: 'title' },
      { do: 'create', tab: 0, list: 'y' },
      { do: 'move', tab: 3, id: 6, list: 'y' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
    ]),
  },
  {
    what: 'what a page stores again of a response that was told before does not replace what another page has stored since',
    program: programWith({ luck: 115, careful: 'overwrites', isBulky: true, tabs: 2 }, [
      { do: 'delete', tab: 0, id: 3 },
      { do: 'fetch list', tab: 0, list: 'y' },
      { do: 'fetch', tab: 0, id: 1 },
      { do: 'close', tab: 0, how: 'closed', fate: 'lost' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'crash in', tab: 0, points: 2, fate: 'torn' },
      { do: 'edit', tab: 0, id: 2, field: 'note' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'disk is full', tab: 0 },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'open', tab: 0, version: 0, user: 0 },
      { do: 'deliver', tab: 0, pick: 0, fault: 'lost' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'edit', tab: 1, id: 5, field: 'note' },
      { do: 'fetch list', tab: 0, list: 'y' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
    ]),
  },
  {
    what: 'a list that two tabs have stored without knowing of each other is asked for again',
    program: programWith({ luck: 993, tabs: 2 }, [
      { do: 'open', tab: 0, version: 0, user: 0 },
      { do: 'disk is full', tab: 0 },
      { do: 'fetch list', tab: 0, list: 'x' },
      { do: 'create', tab: 0, list: 'x' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'disk has room', tab: 0 },
      { do: 'watch list', tab: 0, list: 'y' },
      { do: 'move', tab: 3, id: 5, list: 'y' },
      { do: 'edit', tab: 0, id: 5, field: 'note' },
      { do: 'edit new', tab: 0, pick: 0 },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'edit', tab: 0, id: 3, field: 'title' },
      { do: 'create', tab: 0, list: 'y' },
      { do: 'advance', tab: 0, ms: 61000 },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'deliver', tab: 0, pick: 0, fault: 401 },
      { do: 'create elsewhere', tab: 0, list: 'x' },
      { do: 'move', tab: 0, id: 6, list: 'y' },
      { do: 'edit new', tab: 0, pick: 0 },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'watch list', tab: 1, list: 'x' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
    ]),
  },
  {
    what: 'a row that a mutation outside of the outbox has moved is in no list of another page that it has left',
    program: programWith({ tabs: 2 }, [
      { do: 'open', tab: 0, version: 0, user: 0 },
      { do: 'fetch list', tab: 1, list: 'x' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'advance', tab: 0, ms: 1_000 },
      { do: 'fetch list', tab: 0, list: 'y' },
      { do: 'deliver', tab: 0, pick: 0, fault: 'none' },
      { do: 'advance', tab: 0, ms: 1_000 },
      { do: 'outside', way: 'move', tab: 0, id: 1, list: 'y', isSlow: false },
      { do: 'advance', tab: 0, ms: 1_000 },
    ]),
  },
  {
    what: 'a page that waits for a request of its own, whose end another page has told, goes on by the clock of its environment',
    program: programWith(
      { luck: 660, keptLists: true, isBulky: true, tabs: 3, maxAttempts: 2, dataExpiryLength: 1_000 },
      [
        { do: 'create', tab: 0, list: 'y' },
        { do: 'edit new', tab: 0, pick: 0 },
        { do: 'create', tab: 0, list: 'y' },
        { do: 'edit', tab: 0, id: 5, field: 'note' },
        { do: 'open', tab: 0, version: 0, user: 0 },
        { do: 'damage', tab: 0, pick: 2 },
      ],
    ),
  },
]

function programWith(traits: Partial<OfflineProgram['traits']>, commands: OfflineProgram['commands']): OfflineProgram {
  const rest = { luck: 1, careful: 'no', keptLists: false, isBulky: false, tabs: 1, hasLocks: true } as const
  return { traits: { ...rest, maxAttempts: 10, dataExpiryLength: 60_000, ...traits }, commands }
}
