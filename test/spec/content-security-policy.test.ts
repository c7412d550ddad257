import { execFileSync } from 'node:child_process'
import { build } from 'esbuild'
import { describe, expect, test } from 'vitest'

/** Bundles a program as an application would, minified, and runs it where no code may be made from text. */
async function run(program: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['@roundtable/source'],
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const flags = ['--disallow-code-generation-from-strings', '--input-type=module']
  return execFileSync(process.execPath, flags, { input: outputFiles[0]?.text ?? '', encoding: 'utf8' }).trim()
}

describe('without eval, and minified', () => {
  test('endpoints are callable, and can be extended', async () => {
    const program = `
      import { Endpoint, RestEndpoint } from '@roundtable/core'
      globalThis.fetch = async (url) => Response.json({ url })
      class Own extends RestEndpoint { #secret = 'kept'; secret() { return this.#secret } }
      const get = new Own({ path: '/users/:id' }).extend({ urlPrefix: 'https://api.test' })
      const plain = new Endpoint(async (id) => id, { name: 'plain' })
      console.log(JSON.stringify([await get({ id: 5 }), get.secret(), await plain('a')]))
    `
    expect(JSON.parse(await run(program))).toEqual([{ url: 'https://api.test/users/5' }, 'kept', 'a'])
  })

  test('the name of an endpoint, and so its key, survives', async () => {
    const program = `
      import { RestEndpoint } from '@roundtable/core'
      class UserEndpoint extends RestEndpoint {}
      const get = new UserEndpoint({ urlPrefix: 'https://api.test', path: '/users/:id' })
      console.log(JSON.stringify([get.name, get.extend({ name: 'getUser' }).name, get.key({ id: 5 })]))
    `
    const names = ['https://api.test/users/:id', 'getUser', 'GET https://api.test/users/5']
    expect(JSON.parse(await run(program))).toEqual(names)
  })
})
