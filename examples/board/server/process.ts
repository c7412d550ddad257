import { readFileSync } from 'node:fs'

/** A process as it was noted: its id, and when it started, where the system tells. */
export interface NotedProcess {
  readonly pid: number
  readonly started: string | undefined
}

/** Whether the noted process still runs. A process that got the same id later is another one. */
export function isAlive({ pid, started }: NotedProcess): boolean {
  if (started !== undefined && startOf(process.pid) !== undefined) return startOf(pid) === started
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it exists, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** When a process started, as Linux tells it; undefined where it has ended, or on another system. */
export function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field, the name in brackets, may itself hold blanks and brackets: count from its end.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const isDead = state === 'Z' || state === 'X'
    return isDead ? undefined : fields[STARTTIME]
  } catch {
    return undefined
  }
}

// Field 22 of proc(5); the first after the name and the state is field 4.
const STARTTIME = 22 - 4
