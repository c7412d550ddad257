/** A page as the naive model knows it. */
export interface ModelPage {
  readonly cursor: string
  readonly order: number
  readonly members: readonly string[]
}

/** A list with its pages in their order. */
export interface ModelList {
  readonly members: readonly string[]
  readonly pages: readonly ModelPage[]
}

/**
 * What a list becomes by a page, from the rules and without any care for time:
 * - pages in their order, each member at the first place where a page has it;
 * - members that a page has lost are at the start of the next, unless a page has them;
 * - members that were taken out of the list come back only with the page that was read;
 * - what no page brought stays behind whom it stood, at the ends at the ends; alone, it is at the end;
 * - a new page behind all others leaves what is there as it is.
 */
export function joinPage({ members, pages }: ModelList, page: ModelPage): ModelList {
  const old = pages.find(({ cursor }) => cursor === page.cursor)
  const others = pages.filter((other) => other !== old)
  if (others.length === 0) return { members: page.members, pages: [page] }
  const next = [...others, page].sort((a, b) => a.order - b.order)
  const at = next.indexOf(page)
  const isIn = (some: readonly ModelPage[], id: string) => some.some((one) => one.members.includes(id))
  const following = next[at + 1]
  if (old !== undefined && following !== undefined) {
    const out = old.members.filter((id) => members.includes(id) && !isIn(next, id))
    next[at + 1] = { ...following, members: [...out, ...following.members] }
  }
  if (old === undefined && following === undefined) {
    const end = members.findLastIndex((id) => isIn(others, id)) + 1
    return { members: [...new Set([...members.slice(0, end), ...page.members, ...members.slice(end)])], pages: next }
  }
  const isShown = (id: string) => page.members.includes(id) || members.includes(id)
  const paged = [...new Set(next.flatMap((one) => one.members))].filter(isShown)
  const last = members.findLastIndex((id) => paged.includes(id))
  const isExtra = (id: string) => !isIn(pages, id) && !paged.includes(id)
  const joined = [...paged]
  let before = 0
  members.forEach((id, i) => {
    if (paged.includes(id)) before = joined.indexOf(id) + 1
    else if (isExtra(id)) joined.splice(i > last ? joined.length : before++, 0, id)
  })
  return { members: joined, pages: next }
}
