/**
 * Why a request was sent, as the event `fetch` tells. `by` is the `id` of what led to it: an `action` or another request.
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
 * | `page` | the next page of a list was wanted, or, with `by`, the list's refresh by that request continues with this page |
 * | `batch` | reads of one tick became one request; `by` is the first of them |
 * | `focus`, `online` | the user came back to the page, or the network was back |
 * | `retry` | an error was dropped, or the mutation `by` read the current state after a conflict |
 * | `reset` | the store was emptied |
 * | `invalidate`, `expire` | data was invalidated or expired by that action |
 * | `contested` | a write overlapped with the request that brought the data: a mutation, whose `settle` has `by` as its `done`, or an action |
 */
export type Cause =
  | { readonly type: 'mount' | 'args' | 'expired' | 'missing' | 'refetch' | 'call' | 'reset' }
  | { readonly type: 'poll'; readonly every: number }
  | { readonly type: 'page'; readonly by?: number }
  | {
      readonly type: 'batch' | 'focus' | 'online' | 'retry' | 'invalidate' | 'expire' | 'contested'
      readonly by: number
    }
