/**
 * A program with this many entities that refer to each other, and a resource of each: as classes, or from a library's
 * schemas.
 */
export function entities(count, library) {
  const lines = [...imports[library]]
  for (let n = 0; n < count; n++) lines.push(...declare[library](n), ...use(n))
  return lines.join('\n')
}

const core = "import { Entity, resource } from '@roundtable/core'"
const entityOf = "import { entityOf } from '@roundtable/core/schema'"
const read =
  'declare function read<E extends (...args: any) => any>(endpoint: E, ...args: Parameters<E>): ReturnType<E>'

const imports = {
  classes: [core, read],
  zod: [core, entityOf, "import * as z from 'zod'", read],
  valibot: [core, entityOf, "import * as v from 'valibot'", read],
  arktype: [core, entityOf, "import { type } from 'arktype'", read],
}

/** The same fields in each: with a date that is converted, and the entity before as a relation. */
const declare = {
  classes: (n) => [
    `class Row${n} extends Entity {`,
    `  static override key = 'Row${n}'`,
    `  static override schema = { due: (iso: string) => new Date(iso)${n > 0 ? `, owner: Row${n - 1}` : ''} }`,
    `  id = 0; title${n} = ''; tags: string[] = []; state: 'open' | 'closed' = 'open'; note: string | undefined = undefined; due = new Date()`,
    n > 0 ? `  owner: Row${n - 1} | undefined = undefined` : '',
    '}',
  ],
  zod: (n) => [
    `const Schema${n} = z.object({ id: z.number(), title${n}: z.string(), tags: z.array(z.string()), state: z.enum(['open', 'closed']), note: z.string().optional(), due: z.iso.datetime()${n > 0 ? `, owner: z.object({ id: z.number() })` : ''} })`,
    described(n),
  ],
  valibot: (n) => [
    `const Schema${n} = v.object({ id: v.number(), title${n}: v.string(), tags: v.array(v.string()), state: v.picklist(['open', 'closed']), note: v.optional(v.string()), due: v.pipe(v.string(), v.isoTimestamp())${n > 0 ? `, owner: v.object({ id: v.number() })` : ''} })`,
    described(n),
  ],
  arktype: (n) => [
    `const Schema${n} = type({ id: 'number', title${n}: 'string', tags: 'string[]', state: "'open' | 'closed'", 'note?': 'string', due: 'string.date.iso'${n > 0 ? `, owner: { id: 'number' }` : ''} })`,
    described(n),
  ],
}

function described(n) {
  return `class Row${n} extends entityOf(Schema${n}, { key: 'Row${n}', convert: { due: (iso) => new Date(iso) }${n > 0 ? `, relations: { owner: Row${n - 1} }` : ''} }) {}`
}

function use(n) {
  return [
    `const r${n} = resource({ path: '/rows${n}/:id', schema: Row${n}, searchParams: {} as { q${n}?: string } })`,
    `read(r${n}.get, { id: 5 }).then(({ title${n} }) => title${n}.length)`,
    `read(r${n}.getList, { q${n}: 'a' })`,
    `read(r${n}.getList.push, { title${n}: 'a' })`,
    `read(r${n}.partialUpdate, { id: 5 }, { title${n}: 'a' })`,
    `read(r${n}.delete, { id: 5 })`,
  ]
}
