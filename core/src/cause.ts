/**
 * The reason for a request, as the `fetch` event reports it. `by` is the `id` of the action or request that led to it.
 *
 * | type | the request was sent because |
 * |---|---|
 * | `mount` | a reader mounted, and there was no data |
 * | `args` | a reader changed its arguments, and there was no data for the new ones |
 * | `expired` | a reader mounted, and the data's lifetime was over |
 * | `missing` | data that a mounted reader showed was removed, for example by a deletion |
 * | `refetch` | a reader's `refetch` was called |
 * | `call` | the application called `controller.fetch` |
 * | `poll` | a poll was due; `every` is its interval in ms |
 * | `page` | a list's next page was requested, or, with `by`, the refresh that began with that request continues with it |
 * | `batch` | reads in one tick became one request; `by` is the first of them |
 * | `focus`, `online` | the user returned to the page, or the network was back |
 * | `retry` | an error was dropped, or the mutation `by` read the current state after a conflict |
 * | `reset` | the store was emptied |
 * | `invalidate`, `expire` | data was invalidated or expired by that action |
 * | `contested` | an action or mutation (`by` is the `done` of its `settle`) overlapped, or failed and may be applied |
 */
export type Cause =
  | { readonly type: 'mount' | 'args' | 'expired' | 'missing' | 'refetch' | 'call' | 'reset' }
  | { readonly type: 'poll'; readonly every: number }
  | { readonly type: 'page'; readonly by?: number }
  | {
      readonly type: 'batch' | 'focus' | 'online' | 'retry' | 'invalidate' | 'expire' | 'contested'
      readonly by: number
    }
