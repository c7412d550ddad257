import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const board = fileURLToPath(new URL('../../examples/board/', import.meta.url))

/** The built board as a separate process, with a temporary data folder. */
export interface BoardServer {
  readonly url: string
  /** Ends the process as a power cut would. */
  kill(): Promise<void>
  /** Starts it again on the same folder and port. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** The board as `npm run dev` serves it: from its sources, in development. */
export function startBoardInDevelopment(): Promise<BoardServer> {
  return startBoard({}, ['--conditions=@roundtable/source', '--import', 'tsx', 'server/main.ts', '--dev'])
}

/**
 * Starts the board that `npm run build` has built, on an empty folder and a free port, with further variables of its
 * environment.
 */
export async function startBoard(
  variables: Record<string, string> = {},
  program: readonly string[] = ['dist/server/main.js'],
): Promise<BoardServer> {
  if (program.length === 1 && !existsSync(join(board, 'dist/server/main.js')))
    throw new Error('The board is not built: run "npm run build".')
  const folder = mkdtempSync(join(tmpdir(), 'board-page-'))
  let { child, url } = await start(folder, '0', variables, program)

  async function kill(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  return {
    url,
    kill,
    async restart() {
      const again = await start(folder, new URL(url).port, variables, program)
      child = again.child
      if (again.url !== url) throw new Error(`The board came back at ${again.url}, not at ${url}.`)
    },
    async close() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function start(
  folder: string,
  port: string,
  variables: Record<string, string>,
  program: readonly string[],
): Promise<{ child: ChildProcess; url: string }> {
  const NODE_ENV = program.length === 1 ? 'production' : 'development'
  const env = { ...process.env, ...variables, NODE_ENV, DATA_DIR: folder, PORT: port }
  const child = spawn(process.execPath, program, {
    cwd: board,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const text of createInterface({ input: child.stdout })) {
    if (/^http:\S+$/.test(text)) return { child, url: text }
  }
  throw new Error('The board did not start: it says why above.')
}
