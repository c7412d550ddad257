import type { Target } from './domain.js'
import { rest } from './drain.js'
import type { Command, Program } from './program.js'
import { Random } from './random.js'
import { text } from './same.js'
import { World } from './world.js'
import { must } from './wrong.js'

const TRAITS = {
  dataExpiryLength: Number.POSITIVE_INFINITY,
  invalidIfStale: false,
  abortOnUnused: false,
  isSoft: false,
  timeout: undefined,
  retention: false,
} as const

const LISTS: readonly Target[] = [
  { read: 'list', group: 'x' },
  { read: 'list', group: 'y' },
]

/** A program in which this client alone moves a few rows, quickly, and a server applies and answers that in any order. */
export function crossingOf(seed: number): Program {
  const random = new Random(seed)
  const keeps = random.chance(0.5)
  const ids = ['1', '2'].slice(0, 1 + random.below(2))
  let value = 0
  const commands: Command[] = ids.map((id) => ({
    do: 'elsewhere',
    edit: { deed: 'create', id, group: 'x', values: { a: ++value, b: ++value }, answer: 'full' },
  }))
  for (const target of LISTS) commands.push({ do: 'subscribe', target }, { do: 'deliver', pick: 0, fault: 'none' })
  const length = commands.length + 2 + random.below(12)
  while (commands.length < length) {
    const edit = (): Command => ({
      do: 'edit',
      edit: {
        // A plain list is told by a move alone that a row belongs elsewhere.
        deed: keeps && random.chance(0.5) ? 'patch' : random.chance(0.8) ? 'move' : 'delete',
        id: random.pick(ids),
        group: random.pick(['x', 'y']),
        values: { a: ++value },
        answer: random.chance(0.5) ? 'full' : 'partial',
      },
      isOptimistic: random.chance(0.6),
    })
    const pick = random.below(8)
    commands.push(
      random.pick([
        edit,
        edit,
        edit,
        () => ({ do: 'apply', pick }),
        () => ({ do: 'deliver', pick, fault: 'none' }),
      ])() as Command,
    )
  }
  return { isInOrder: false, traits: { ...TRAITS, keeps }, commands }
}

/** Runs a program to its end: without a fetch by anybody, the screen is what the server has. */
export async function endsRight(program: Program): Promise<void> {
  const world = new World(program)
  for (const command of program.commands) await world.run(command)
  await rest(world)
  for (const { target, shown } of world.mounts) {
    const [screen, truth] = [sorted(shown.data), sorted(world.server.show(target))]
    must(screen === truth, () => `${text(target)} shows ${screen}, the server has ${truth}`)
  }
}

/** Who is in a list, and with which values; at which place a moved row stands is nobody's word. */
function sorted(list: unknown): string {
  const rows = (list ?? []) as readonly { readonly id: unknown; readonly a: unknown }[]
  return rows
    .map(({ id, a }) => `${id} ${a}`)
    .sort()
    .join(', ')
}
