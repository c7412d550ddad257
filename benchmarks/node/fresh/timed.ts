/** A task with its author, as a list of tasks brings them: ten tasks to a user. */
export interface Task {
  readonly id: number
  readonly title: string
  readonly body: string
  readonly state: string
  readonly rank: number
  readonly isOpen: boolean
  readonly createdAt: string
  readonly user: { readonly id: number; readonly name: string; readonly email: string }
}

/** The text of a response of so many tasks. */
export function responseOf(rows: number): string {
  return JSON.stringify(
    Array.from({ length: rows }, (_, i): Task => {
      const user = { id: i % Math.ceil(rows / 10), name: `User ${i % 10}`, email: `user${i % 10}@example.com` }
      const createdAt = new Date(1_700_000_000_000 + i * 60_000).toISOString()
      return {
        id: i,
        title: `Task ${i}`,
        body: `What task ${i} is about`,
        state: 'open',
        rank: i,
        isOpen: true,
        createdAt,
        user,
      }
    }),
  )
}

/**
 * Runs something once, in a process that has run nothing like it, and prints the CPU time that it took, in microseconds.
 *
 * @param run - gets the parsed response, or its text if it parses; returns all tasks, which are counted
 */
export function timeOnce(run: (response: unknown) => unknown, takesText = false): void {
  const rows = Number(process.argv[2])
  const text = responseOf(rows)
  const response: unknown = takesText ? text : JSON.parse(text)
  // Who loads a little more code would else find the room for what is young full, and pay for all that came before.
  const { gc } = globalThis as { readonly gc?: (options: { readonly type: 'minor' }) => void }
  gc?.({ type: 'minor' })
  const before = process.cpuUsage()
  const tasks = run(response) as readonly Task[]
  const { user, system } = process.cpuUsage(before)
  if (tasks.length !== rows || tasks[rows - 1]?.user.name === undefined) throw new Error('Not all tasks came back.')
  process.stdout.write(String(user + system))
  process.exit(0)
}
