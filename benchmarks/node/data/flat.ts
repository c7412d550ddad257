import { seeded, words } from './random.js'

/** A row of twelve fields, none of them a relation. */
export interface FlatRow {
  id: string
  title: string
  body: string
  author: string
  rank: number
  score: number
  price: number
  isOpen: boolean
  createdAt: string
  updatedAt: string
  url: string
  note: string | null
}

/** A list of so many rows. */
export function flatRows(count: number): FlatRow[] {
  const random = seeded(count)
  return Array.from({ length: count }, (_, i) => flatRow(random, String(i + 1)))
}

/** One row, with what chance gives it. */
export function flatRow(random: () => number, id: string): FlatRow {
  return {
    id,
    title: words(random, 4),
    body: words(random, 14),
    author: words(random, 2),
    rank: Math.floor(random() * 1_000),
    score: random() * 5,
    price: Math.floor(random() * 10_000) / 100,
    isOpen: random() < 0.5,
    createdAt: new Date(1.6e12 + Math.floor(random() * 1e11)).toISOString(),
    updatedAt: new Date(1.7e12 + Math.floor(random() * 1e10)).toISOString(),
    url: `https://example.test/rows/${id}`,
    note: random() < 0.3 ? null : words(random, 3),
  }
}
