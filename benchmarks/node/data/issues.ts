import { pick, seeded, words } from './random.js'

export interface User {
  id: string
  login: string
  name: string
  avatarUrl: string
  company: string | null
  bio: string
  location: string
  followers: number
  isAdmin: boolean
  joinedAt: string
}

export interface Label {
  id: string
  name: string
  color: string
}

export interface Milestone {
  id: string
  title: string
  dueOn: string
  isClosed: boolean
}

export interface Repository {
  id: string
  fullName: string
  description: string
  stars: number
  isPrivate: boolean
}

/** An issue as a tracker's API returns it: what it refers to is nested in it. */
export interface Issue {
  id: string
  number: number
  title: string
  body: string
  state: string
  comments: number
  isLocked: boolean
  reactions: number
  url: string
  createdAt: string
  updatedAt: string
  user: User
  labels: Label[]
  milestone: Milestone | null
  repository: Repository
}

/** A list of so many issues by 60 users, with 24 labels, 12 milestones and 5 repositories. */
export function issueList(count: number): Issue[] {
  const random = seeded(count + 1)
  const make = <Item>(length: number, item: (id: string) => Item): Item[] =>
    Array.from({ length }, (_, i) => item(String(i + 1)))
  const users = make(60, (id) => userOf(random, id))
  const labels = make(24, (id) => ({ id, name: words(random, 1), color: Math.floor(random() * 0xffffff).toString(16) }))
  const milestones = make(12, (id) => milestoneOf(random, id))
  const repositories = make(5, (id) => repositoryOf(random, id))
  return make(count, (id) => ({
    id,
    number: Number(id),
    title: words(random, 6),
    body: words(random, 40),
    state: random() < 0.7 ? 'open' : 'closed',
    comments: Math.floor(random() * 40),
    isLocked: random() < 0.1,
    reactions: Math.floor(random() * 20),
    url: `https://example.test/issues/${id}`,
    createdAt: new Date(1.6e12 + Math.floor(random() * 1e11)).toISOString(),
    updatedAt: new Date(1.7e12 + Math.floor(random() * 1e10)).toISOString(),
    user: pick(random, users),
    labels: labelsOf(random, labels),
    milestone: random() < 0.2 ? null : pick(random, milestones),
    repository: pick(random, repositories),
  }))
}

function userOf(random: () => number, id: string): User {
  return {
    id,
    login: words(random, 1) + id,
    name: words(random, 2),
    avatarUrl: `https://example.test/avatars/${id}.png`,
    company: random() < 0.5 ? null : words(random, 2),
    bio: words(random, 10),
    location: words(random, 2),
    followers: Math.floor(random() * 5_000),
    isAdmin: random() < 0.1,
    joinedAt: new Date(1.5e12 + Math.floor(random() * 1e11)).toISOString(),
  }
}

function milestoneOf(random: () => number, id: string): Milestone {
  const dueOn = new Date(1.7e12 + Math.floor(random() * 1e10)).toISOString()
  return { id, title: words(random, 2), dueOn, isClosed: random() < 0.3 }
}

function repositoryOf(random: () => number, id: string): Repository {
  const stars = Math.floor(random() * 90_000)
  return { id, fullName: words(random, 2).replace(' ', '/'), description: words(random, 9), stars, isPrivate: false }
}

/** Up to three different labels. */
function labelsOf(random: () => number, labels: readonly Label[]): Label[] {
  const chosen = new Set<Label>()
  for (let i = Math.floor(random() * 4); i > 0; i--) chosen.add(pick(random, labels))
  return [...chosen]
}
