import type { Command, Program } from './program.js'

/** A program that once went wrong. */
export interface Regression {
  readonly what: string
  readonly program: Program
}

/** All of them, as short as they could be made; they run before any new program. */
export const REGRESSIONS: readonly Regression[] = [
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
    what: 'what a pending deletion hides is not asked for again and again',
    program: programWith({}, [
      edit({ deed: 'create', id: '1', values: { a: 1 }, answer: 'full' }),
      { do: 'deliver', pick: 0, fault: 'none' },
      edit({ deed: 'delete', id: '1', values: {}, answer: 'partial' }, true),
      { do: 'subscribe', target: { read: 'item', id: '1' } },
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
