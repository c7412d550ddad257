import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import react from '@vitejs/plugin-react'
import vue from '@vitejs/plugin-vue'
import { build, defaultClientConditions, preview } from 'vite'

/** The page of the suite as a server gives it. */
export interface Site {
  readonly url: string
  close(): Promise<void>
}

/** Builds the page for production, each contender as a part that is loaded when it is asked for, and serves it on a free port. */
export async function serve(folder: string): Promise<Site> {
  const root = join(folder, 'page')
  const outDir = mkdtempSync(join(tmpdir(), 'roundtable-browser-suite-'))
  await inProduction(() =>
    build({
      configFile: false,
      root,
      logLevel: 'warn',
      plugins: [react(), vue(), svelte({ configFile: false })],
      // Ours from its sources, the others as bundlers find them.
      resolve: { conditions: ['@roundtable/source', ...defaultClientConditions] },
      build: { outDir, emptyOutDir: true, target: 'es2022' },
    }),
  )
  // A page that is isolated from others has a clock that tells microseconds.
  const headers = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }
  const server = await preview({
    configFile: false,
    root,
    logLevel: 'warn',
    build: { outDir },
    preview: { port: 0, headers },
  })
  const { port } = server.httpServer.address() as { port: number }
  return {
    url: `http://localhost:${port}`,
    async close() {
      await server.close()
      rmSync(outDir, { recursive: true, force: true })
    },
  }
}

/** A program that tests says that this is no production, and frameworks believe it. */
async function inProduction<Result>(work: () => Promise<Result>): Promise<Result> {
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  try {
    return await work()
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
}
