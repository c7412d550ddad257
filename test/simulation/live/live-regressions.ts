import type { LiveProgram } from './live-program.js'

/** A program that once went wrong. */
export interface LiveRegression {
  readonly what: string
  readonly program: LiveProgram
}

/** All of them, as short as they could be made; they run before any new program. */
export const LIVE_REGRESSIONS: readonly LiveRegression[] = [
  {
    what: 'a stream that begins behind the event of one list is not believed to tell what another one lacks',
    program: programWith({}, [
      { do: 'fetch list', group: 'x' },
      { do: 'watch list', group: 'y' },
      { do: 'watch list', group: 'x' },
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'create elsewhere', group: 'x' },
    ]),
  },
  {
    what: 'a stream that is made again behind what one list knows is not the one that went on',
    program: programWith({ saysStart: false, resume: 'id' }, [
      { do: 'watch list', group: 'x' },
      { do: 'advance', ms: 31_000 },
      { do: 'accept', isHeldBack: false },
      { do: 'watch list', group: 'y' },
      { do: 'hide' },
      { do: 'deliver', pick: 5, fault: 'none' },
      { do: 'advance', ms: 31_000 },
      { do: 'create elsewhere', group: 'y' },
    ]),
  },
  {
    what: 'a list knows no more than the messages that have replaced its rows while it was on its way',
    program: programWith(
      { logSize: 0, resume: 'id', dataExpiryLength: 1_000, isVersioned: true, keptLists: true, retention: 5_000 },
      [
        { do: 'watch list', group: 'y' },
        { do: 'advance', ms: 6_000 },
        { do: 'accept', isHeldBack: false },
        { do: 'edit elsewhere', id: 2, field: 'title' },
        { do: 'deliver', pick: 0, fault: 'none' },
        { do: 'message', most: 100 },
        { do: 'advance', ms: 16 },
        { do: 'cut', how: 'failed' },
        { do: 'edit elsewhere', id: 2, field: 'title' },
      ],
    ),
  },
  {
    what: 'a deletion is known to a list that is on its way, however long ago it was',
    program: programWith(
      { hasIds: false, saysStart: false, saysKnown: false, logSize: 0, maxBuffer: 2, retention: 5_000 },
      [
        { do: 'watch list', group: 'y' },
        { do: 'reconnect' },
        { do: 'apply', pick: 0 },
        { do: 'delete elsewhere', id: 4 },
        { do: 'message', most: 5 },
        { do: 'reconnect' },
      ],
    ),
  },
  {
    what: 'messages of a row are never the response of a reader of another row',
    program: programWith({ isVersioned: true }, [
      { do: 'watch list', group: 'x' },
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'edit elsewhere', id: 2, field: 'note' },
      { do: 'edit elsewhere', id: 2, field: 'note' },
      { do: 'watch item', id: 3 },
    ]),
  },
  {
    what: 'what a stream cannot tell is asked for again if that has failed',
    program: programWith({ hasIds: false, saysStart: false, saysKnown: false }, [
      { do: 'watch list', group: 'y' },
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'advance', ms: 16 },
      { do: 'delete elsewhere', id: 4 },
      { do: 'accept', isHeldBack: false },
      { do: 'deliver', pick: 0, fault: 503 },
    ]),
  },
  {
    what: 'a list whose rows another response replaces that the server made earlier is asked for again',
    program: programWith({}, [
      { do: 'watch list', group: 'x' },
      { do: 'watch list', group: 'y' },
      { do: 'apply', pick: 1 },
      { do: 'move elsewhere', id: 2, group: 'x' },
      { do: 'deliver', pick: 1, fault: 'none' },
      { do: 'deliver', pick: 0, fault: 'none' },
    ]),
  },
  {
    what: 'a row that was read before its deletion is not in a list that was asked for earlier and made later',
    program: programWith({ keptLists: true }, [
      { do: 'watch list', group: 'y' },
      { do: 'watch item', id: 2 },
      { do: 'apply', pick: 1 },
      { do: 'delete elsewhere', id: 2 },
      { do: 'deliver', pick: 1, fault: 'none' },
      { do: 'deliver', pick: 0, fault: 'none' },
    ]),
  },
  {
    what: 'a response that comes after the stream has opened can replace newer rows of a list that the stream continues',
    program: programWith({}, [
      { do: 'watch list', group: 'x' },
      { do: 'watch list', group: 'y' },
      { do: 'apply', pick: 1 },
      { do: 'move elsewhere', id: 2, group: 'x' },
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'advance', ms: 1_000 },
      { do: 'accept', isHeldBack: false },
      { do: 'deliver', pick: 0, fault: 'none' },
    ]),
  },
  {
    what: 'a response that replaces newer rows of a list may be one that nobody reads',
    program: programWith({}, [
      { do: 'watch list', group: 'x' },
      { do: 'fetch list', group: 'y' },
      { do: 'apply', pick: 1 },
      { do: 'move elsewhere', id: 2, group: 'x' },
      { do: 'deliver', pick: 1, fault: 'none' },
      { do: 'deliver', pick: 0, fault: 'none' },
    ]),
  },
  {
    what: 'a message that puts a row into a list does not count if a response has brought a later version of the row',
    program: programWith({ saysStart: false, saysKnown: false, dataExpiryLength: 1_000, isVersioned: true }, [
      { do: 'watch list', group: 'y' },
      { do: 'watch list', group: 'x' },
      { do: 'reconnect' },
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'delete elsewhere', id: 1 },
      { do: 'message', most: 5 },
      { do: 'restore elsewhere', id: 1, group: 'x' },
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'deliver', pick: 0, fault: 503 },
      { do: 'advance', ms: 31_000 },
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'message', most: 5 },
      { do: 'move elsewhere', id: 1, group: 'y' },
      { do: 'deliver', pick: 0, fault: 'none' },
      { do: 'advance', ms: 1_000 },
    ]),
  },
]

export function programWith(traits: Partial<LiveProgram['traits']>, commands: LiveProgram['commands']): LiveProgram {
  const told = { hasIds: true, saysStart: true, saysKnown: true, logSize: Infinity, isPartial: false } as const
  const rest = { resume: undefined, maxBuffer: 20_000, fallbackPoll: undefined, dataExpiryLength: 60_000 } as const
  return { traits: { ...told, ...rest, isVersioned: false, keptLists: false, retention: false, ...traits }, commands }
}
