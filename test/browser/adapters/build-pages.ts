import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import react from '@vitejs/plugin-react'
import vue from '@vitejs/plugin-vue'
import { build, defaultClientConditions, preview } from 'vite'

const root = fileURLToPath(new URL('./pages/', import.meta.url))

/** The pages as a server gives them. */
export interface Pages {
  readonly url: string
  close(): Promise<void>
}

/** Builds the pages for production, each framework with its own, and serves them on a free port. */
export async function buildPages(names: readonly string[]): Promise<Pages> {
  const outDir = mkdtempSync(join(tmpdir(), 'reader-pages-'))
  await inProduction(() =>
    build({
      configFile: false,
      root,
      logLevel: 'warn',
      plugins: [react(), vue(), svelte({ configFile: false, compilerOptions: { experimental: { async: true } } })],
      resolve: { conditions: ['@roundtable/source', ...defaultClientConditions] },
      build: {
        outDir,
        emptyOutDir: true,
        target: 'es2022',
        rolldownOptions: { input: names.map((name) => join(root, `${name}.html`)) },
      },
    }),
  )
  const server = await preview({ configFile: false, root, logLevel: 'warn', build: { outDir }, preview: { port: 0 } })
  const { port } = server.httpServer.address() as { port: number }
  return {
    url: `http://localhost:${port}`,
    async close() {
      await server.close()
      rmSync(outDir, { recursive: true, force: true })
    },
  }
}

/** What runs tests says that this is no production, and frameworks believe it. */
async function inProduction<Result>(work: () => Promise<Result>): Promise<Result> {
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  try {
    return await work()
  } finally {
    process.env.NODE_ENV = before
  }
}
