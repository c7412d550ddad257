/** A program that goes wrong, and how. */
export interface Broken<Program> {
  readonly program: Program
  readonly error: Error
}

/**
 * Leaves out commands, first many, then single ones, and makes others simpler, as long as something stays wrong.
 *
 * @param errorOf - What goes wrong with a program, if anything does.
 */
export async function shrink<Command, Program extends { readonly commands: readonly Command[] }>(
  broken: Broken<Program>,
  errorOf: (program: Program) => Promise<Error | undefined>,
  simplerThan: (command: Command) => readonly Command[] = () => [],
): Promise<Broken<Program>> {
  let shortest = broken
  const attempt = async (commands: readonly Command[]): Promise<boolean> => {
    const program = { ...shortest.program, commands }
    const error = await errorOf(program)
    if (error !== undefined) shortest = { program, error }
    return error !== undefined
  }
  let before: Program
  do {
    before = shortest.program
    for (let size = before.commands.length; size >= 1; size = Math.floor(size / 2)) {
      for (let at = 0; at < shortest.program.commands.length; ) {
        const left = shortest.program.commands.filter((_, i) => i < at || i >= at + size)
        if (!(await attempt(left))) at += size
      }
    }
    for (let at = 0; at < shortest.program.commands.length; at++) {
      for (const simpler of simplerThan(shortest.program.commands[at] as Command)) {
        await attempt(shortest.program.commands.with(at, simpler))
      }
    }
    // What one left out may let go of another.
  } while (shortest.program !== before)
  return shortest
}
