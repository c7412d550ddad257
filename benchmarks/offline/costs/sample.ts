import { readFileSync, writeFileSync } from 'node:fs'

/** What a process that does a thing once prints. Times are of CPU, in microseconds. */
export type Sample = Readonly<Record<string, number>>

/**
 * The CPU time of what is done once, compiling and its own garbage collection with it, but not that of what was
 * prepared.
 */
export async function cpu(work: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

export function sizeOf(text: string): number {
  return Buffer.byteLength(text)
}

/** What this process is to read, and where it leaves what the next one reads. */
export function read(): string {
  return readFileSync(process.argv[3] ?? '', 'utf8')
}

export function write(text: string): void {
  writeFileSync(process.argv[4] ?? '', text)
}

export function finish(sample: Sample): never {
  process.stdout.write(JSON.stringify(sample))
  process.exit(0)
}
