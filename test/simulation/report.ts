import type { Failure } from './simulate.js'

/** What went wrong, how to run it again, and the program to put among the regressions. */
export function report({ seed, program, error }: Failure, law?: string): string {
  return [
    ...(law === undefined ? [] : [`Not so: ${law}.`]),
    error.name === 'Wrong' ? error.message : (error.stack ?? error.message),
    `Run it again: npm run simulate -- --seed ${seed}`,
    `${JSON.stringify({ ...program, commands: [] })} with`,
    ...program.commands.map((command) => `  ${JSON.stringify(command)},`),
  ].join('\n')
}
