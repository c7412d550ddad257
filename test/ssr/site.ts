import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Api } from '../../examples/ssr/api.js'

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

/** Builds an example once for all its sites. @returns for how many ms the last program went on after its last words */
export async function buildExample({ folder, build, env }: Example): Promise<number> {
  const api = await new Api().open()
  let silence = 0
  try {
    for (const args of build) silence = await runToEnd(folder, args, { ...env, ...apiAt(api) })
  } finally {
    await api.close()
  }
  return silence
}

/**
 * Runs a program of Node in an installed example.
 *
 * @returns for how many ms it went on after its last words
 * @throws Error with its output if it fails, or does not end by itself
 */
export async function runToEnd(folder: string, args: readonly string[], env: Record<string, string>): Promise<number> {
  const child = start(folder, args, env)
  const limit = setTimeout(() => child.kill('SIGKILL'), 240_000)
  const output = outputOf(child)
  let spoke = performance.now()
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', () => {
      spoke = performance.now()
    })
  const ended = new Promise<number>((resolve) => child.on('exit', () => resolve(performance.now())))
  const code = await new Promise((resolve) => child.on('close', resolve))
  clearTimeout(limit)
  if (code !== 0) throw new Error(`${args.join(' ')} in ${folder} ended with ${code}:\n${output()}`)
  return (await ended) - spoke
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
    NODE_OPTIONS: `--import ${pathToFileURL(join(import.meta.dirname, 'probe.mjs')).href}`,
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
  for (let i = 0; i < 600; i++) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}:\n${output()}`)
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isThere) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`The server did not answer within a minute:\n${output()}`)
}
