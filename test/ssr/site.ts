import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Api } from '../../examples/ssr/api.js'
import { BUILDS, HANGS } from '../hangs.js'

/** An example as `scripts/test-ssr.mjs` has installed it, with the packages as they would be published. */
export interface Example {
  /** Its folder in examples/ssr. */
  readonly folder: string
  /** Programs of Node with their arguments, such as `['node_modules/next/dist/bin/next', 'build']`. */
  readonly build: readonly (readonly string[])[]
  readonly start: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** A page, built for production, and its API, on one origin. */
export interface Site {
  readonly url: string
  readonly api: Api
  /** The size of the server's heap after a collection. */
  heap(): Promise<number>
  close(): Promise<void>
}

/** The folder in which examples are installed. */
export function installed(folder: string): string {
  const { SSR_FOLDER } = process.env
  if (SSR_FOLDER === undefined)
    throw new Error('Run npm run test:ssr, which installs the examples and sets SSR_FOLDER.')
  return join(SSR_FOLDER, folder)
}

/** Builds an example once for all its sites. @returns how each of its programs ended */
export async function buildExample({ folder, build, env }: Example): Promise<string[]> {
  const api = await new Api().open()
  const ends: string[] = []
  try {
    for (const args of build) ends.push(await runToEnd(folder, args, { ...env, ...apiAt(api) }))
  } finally {
    await api.close()
  }
  return ends
}

/**
 * Runs a program of Node in an installed example, in which a timer of 20 s or more that nobody clears never ends: that
 * of a store which was left behind keeps the program, however slow the machine is.
 *
 * @returns how it ended
 * @throws Error with its output if it fails, or does not end by itself
 */
export async function runToEnd(folder: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  const child = start(folder, args, { ...env, NODE_OPTIONS: preloading('long-timers.mjs') })
  const limit = setTimeout(() => child.kill('SIGKILL'), BUILDS)
  const output = outputOf(child)
  const [code, signal] = await once(child, 'close')
  clearTimeout(limit)
  if (code !== 0) throw new Error(`${args.join(' ')} in ${folder} ended with ${code ?? signal}:\n${output()}`)
  return `ended with ${code}`
}

/** Starts the server of an example that was built. */
export async function openSite({ folder, start: args, env }: Example): Promise<Site> {
  const api = await new Api().open()
  const [port, probePort] = [await freePort(), await freePort()]
  const child = start(folder, args, {
    ...env,
    ...apiAt(api),
    PORT: String(port),
    HOST: '127.0.0.1',
    // SvelteKit's Node server takes forms only from what it thinks is its own address.
    ORIGIN: `http://127.0.0.1:${port}`,
    PROBE_PORT: String(probePort),
    NODE_OPTIONS: preloading('probe.mjs'),
  })
  const output = outputOf(child)
  api.site = `http://127.0.0.1:${port}`
  await answers(child, `${api.site}/favicon.ico`, output)
  return {
    url: `${api.url}/`,
    api,
    heap: async () => Number(await (await fetch(`http://127.0.0.1:${probePort}`)).text()),
    async close() {
      const ended = new Promise((resolve) => child.on('close', resolve))
      child.kill('SIGTERM')
      const limit = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(limit)
      await api.close()
    },
  }
}

/** Loads a module of this folder before all else, in each process of a program. */
function preloading(file: string): string {
  return `--import ${pathToFileURL(join(import.meta.dirname, file)).href}`
}

/** Where the API is; Nuxt reads only variables of its own. */
export function apiAt({ url }: Api): Record<string, string> {
  return { API_URL: url, NUXT_API_URL: url }
}

function start(folder: string, args: readonly string[], env: Record<string, string>): ChildProcess {
  const { NODE_OPTIONS: _, VITEST: __, ...others } = process.env
  return spawn(process.execPath, args, {
    cwd: installed(folder),
    // The test runner's own value would make the frameworks' development builds.
    env: { ...others, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function outputOf({ stdout, stderr }: ChildProcess): () => string {
  let output = ''
  for (const stream of [stdout, stderr])
    stream?.on('data', (part: Buffer) => {
      output = (output + part).slice(-10_000)
    })
  return () => output
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    }),
  )
}

/** Resolves when a server answers anything at all. */
async function answers(child: ChildProcess, url: string, output: () => string): Promise<void> {
  for (let i = 0; i < HANGS / 100; i++) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${output()}`)
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isThere) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`The server did not answer:\n${output()}`)
}
