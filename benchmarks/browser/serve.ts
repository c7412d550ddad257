import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import react from '@vitejs/plugin-react'
import vue from '@vitejs/plugin-vue'
import { build, defaultClientConditions, preview, type Rolldown } from 'vite'

/** Pages as a server gives them. */
export interface Site {
  readonly url: string
  close(): Promise<void>
}

/** How pages are built and served, where it is not as usual. */
export interface SiteOptions {
  /** The pages, by their names in the folder. Default: `index`. */
  readonly names?: readonly string[]
  /** True if Svelte's components may await. Default: false. */
  readonly isAsync?: boolean
  /** Headers of every answer. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * True if our packages are a chunk of their own whose functions are compiled at once, as the recipe says. Default:
   * false.
   */
  readonly isHinted?: boolean
}

/** The recipe of docs/recipes/first-load.md, where our packages are folders of the repository. */
const hinted: Rolldown.OutputOptions = {
  codeSplitting: { groups: [{ name: 'roundtable', test: /[\\/](?:core|adapters[\\/]\w+)[\\/]src[\\/]/ }] },
  postBanner: ({ name }) => (name === 'roundtable' ? '//# allFunctionsCalledOnLoad' : ''),
}

/** Builds the page of the suite, each contender as a part that is loaded when it is asked for. */
export function serve(folder: string, options: Pick<SiteOptions, 'isHinted'> = {}): Promise<Site> {
  // A page that is isolated from others has a clock that tells microseconds.
  const headers = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }
  return serveSite(join(folder, 'page'), { headers, ...options })
}

/** Builds the pages of a folder for production, ours from its sources, and serves them on a free port. */
export async function serveSite(root: string, options: SiteOptions = {}): Promise<Site> {
  const { names = ['index'], isAsync = false, headers = {}, isHinted = false } = options
  const outDir = mkdtempSync(join(tmpdir(), 'roundtable-site-'))
  await inProduction(() =>
    build({
      configFile: false,
      root,
      logLevel: 'warn',
      plugins: [react(), vue(), svelte({ configFile: false, compilerOptions: { experimental: { async: isAsync } } })],
      // Ours from its sources, the others as bundlers find them.
      resolve: { conditions: ['@roundtable/source', ...defaultClientConditions] },
      build: {
        outDir,
        emptyOutDir: true,
        target: 'es2022',
        rolldownOptions: {
          input: names.map((name) => join(root, `${name}.html`)),
          ...(isHinted && { output: hinted }),
        },
      },
    }),
  )
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
