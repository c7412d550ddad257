import { RestEndpoint as PeerEndpoint } from '@data-client/rest'
import { RestEndpoint } from '@roundtable/core'
import type { Contender } from '../measure.js'
import { OURS } from '../peers/ours.js'

/** The key of a request with search params, and a template literal that writes the same. */
export const SEARCHED = `${OURS}, key with 3 search params`
export const SEARCHED_LITERAL = 'limit: a template literal, key with 3 search params'

const path = '/repos/:owner/:name/issues/:number'
const args = { owner: 'ada', name: 'engine', number: 42 } as const
const searched = { ...args, page: 2, sort: 'created', state: 'open' } as const

/** The key of a request and its URL, as a hook works it out on each render. */
export function keys(times: number): Contender[] {
  const ours = new RestEndpoint({ path, searchParams: {} as { page?: number; sort?: string; state?: string } })
  const peer = new PeerEndpoint({ path, searchParams: {} as { page?: number; sort?: string; state?: string } })
  const bare = ({ owner, name, number }: typeof args): string =>
    `GET /repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/issues/${encodeURIComponent(number)}`
  const bareSearch = ({ page, sort, state }: typeof searched): string =>
    `?page=${encodeURIComponent(page)}&sort=${encodeURIComponent(sort)}&state=${encodeURIComponent(state)}`
  const of = (name: string, run: () => unknown): Contender => ({ name, times, prepare: () => run })
  return [
    of('limit: a template literal, key', () => bare(args)),
    of(`${OURS}, key`, () => ours.key(args)),
    of('data-client, key', () => peer.key(args)),
    of(SEARCHED_LITERAL, () => bare(searched) + bareSearch(searched)),
    of(SEARCHED, () => ours.key(searched)),
    of('data-client, key with 3 search params', () => peer.key(searched)),
    of(`${OURS}, url`, () => ours.url(args)),
    of('data-client, url', () => peer.url(args)),
  ]
}
