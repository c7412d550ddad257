import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createClient } from '@hey-api/openapi-ts'
import { type Generated, generate } from '@roundtable/openapi'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callsDuring } from '../calls.js'
import { exportsOf } from './read.js'

const root = join(import.meta.dirname, '../..')
const input = join(import.meta.dirname, 'github/node_modules/@octokit/openapi/generated/api.github.com.json')
const folder = mkdtempSync(join(tmpdir(), 'roundtable-openapi-'))
const output = join(folder, 'api')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the 1,223 operations of GitHub', () => {
  let generated: Generated
  let text: string

  beforeAll(async () => {
    expect(existsSync(input), 'npm ci --prefix test/openapi/github').toBe(true)
    generated = await generate({ input, output })
    text = readFileSync(join(output, 'roundtable.gen.ts'), 'utf8')
    mkdirSync(join(folder, 'node_modules/@roundtable'), { recursive: true })
    symlinkSync(join(root, 'core'), join(folder, 'node_modules/@roundtable/core'))
  }, 180_000)

  test('are all there, without any, and a second run changes nothing', async () => {
    expect([generated.operations, exportsOf(text).size]).toEqual([1223, 1223 + resourcesIn(text)])
    expect(text.replace(/\/\*[\s\S]*?\*\//g, '')).not.toMatch(/\bany\b/)
    const types = readFileSync(join(output, 'types.gen.ts'), 'utf8')
    await generate({ input, output })
    expect(readFileSync(join(output, 'roundtable.gen.ts'), 'utf8') === text).toBe(true)
    expect(readFileSync(join(output, 'types.gen.ts'), 'utf8') === types).toBe(true)
  }, 180_000)

  test('cost at most half as much again as the types of hey-api alone, in function calls', async () => {
    const alone = await callsDuring(
      () =>
        createClient({
          input,
          output: { path: join(folder, 'alone'), entryFile: false },
          plugins: ['@hey-api/typescript'],
          logs: { level: 'silent', file: false },
        }),
      /\/@hey-api\//,
    )
    const all = await callsDuring(() => generate({ input, output }), /\/@hey-api\/|\/openapi\/src\//)
    console.log(`hey-api ${alone} calls, with ours ${all}: ${(all / alone).toFixed(2)} times`)
    expect(alone).toBeGreaterThan(100_000)
    expect(all / alone).toBeLessThan(1.5)
  }, 240_000)

  test('have no type error in strict mode, and at most 450,000 instantiations', () => {
    const config = {
      compilerOptions: {
        strict: true,
        noImplicitOverride: true,
        noEmit: true,
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable'],
        module: 'nodenext',
        types: [],
        skipLibCheck: true,
        customConditions: ['@roundtable/source'],
      },
      include: ['api', join(root, 'core/src/globals.d.ts')],
    }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder, '--extendedDiagnostics'], { encoding: 'utf8' })
    expect(stdout.split('\n').filter((line) => line.includes('error TS'))).toEqual([])
    const instantiations = Number(/Instantiations:\s+(\d+)/.exec(stdout)?.[1])
    const seconds = /Total time:\s+([\d.]+)/.exec(stdout)?.[1]
    console.log(`${instantiations} instantiations, ${seconds} s`)
    expect(instantiations).toBeGreaterThan(100_000)
    expect(instantiations).toBeLessThan(450_000)
  }, 240_000)

  test('cost 0.5 kB for one that an application imports, beside core', async () => {
    const core = await bundled(
      `import { Collection, RestEndpoint, Entity } from '@roundtable/core'\nconsole.log(Collection, RestEndpoint, Entity)`,
    )
    const one = await bundled(
      `import { Collection, RestEndpoint, Entity } from '@roundtable/core'\nimport { issuesListLabelsForRepo } from './api/roundtable.gen.js'\nconsole.log(Collection, RestEndpoint, Entity, issuesListLabelsForRepo)`,
    )
    console.log(`${one - core} bytes`)
    expect(one - core).toBeGreaterThan(50)
    expect(one - core).toBeLessThan(500)
  }, 120_000)
})

function resourcesIn(text: string): number {
  return [...text.matchAll(/^export const \w+Resource_? = \{/gm)].length
}

/** The size of a minified and compressed bundle. */
async function bundled(code: string): Promise<number> {
  const entry = join(folder, 'entry.ts')
  writeFileSync(entry, code)
  const build = await rolldown({
    input: entry,
    cwd: folder,
    resolve: { conditionNames: ['@roundtable/source', 'import'], extensionAlias: { '.js': ['.ts', '.js'] } },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  })
  const { output: chunks } = await build.generate({ format: 'es', minify: true })
  const all = chunks.map((chunk) => ('code' in chunk ? chunk.code : '')).join('')
  return gzipSync(all).length
}
