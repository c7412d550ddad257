import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DescriptionError, generate } from '@roundtable/openapi'
import { afterAll, describe, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'roundtable-openapi-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = (input: string) => generate({ input, output: join(folder, 'api') })

/** What is wrong with a description of this text, without the folder. */
async function mistakesOf(text: string, name = 'api.yaml'): Promise<readonly string[]> {
  const file = join(folder, name)
  writeFileSync(file, text)
  const error = await read(file).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(DescriptionError)
  return (error as DescriptionError).message.replaceAll(`${folder}/`, '').split('\n')
}

const head = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\n'

describe('a description that cannot be read is an error that names the place', () => {
  test('if there is no such file, or only a folder', async () => {
    await expect(read(join(folder, 'none.json'))).rejects.toThrow(/none\.json: there is no such file$/)
    await expect(read(folder)).rejects.toThrow(/: is a folder, not a file$/)
  })

  test.each([
    ['broken JSON', '{\n  "openapi": "3.0.0",\n  "info": {{\n}', /^api\.json:3:12: is not JSON \(/],
    ['broken YAML', 'openapi: 3.0.0\npaths: ]', /^api\.json:2:8: is not YAML \(/],
    ['a text', 'hello', /^api\.json#: is not an OpenAPI description, which is an object$/],
    ['something else', '{"name": "package"}', /^api\.json#: is not an OpenAPI description: it has no field `openapi`$/],
    ['Swagger', '{"swagger": "2.0", "paths": {}}', /^api\.json#\/swagger: is Swagger 2\.0, and OpenAPI 3\.0 or 3\.1/],
    [
      'a later version',
      '{"openapi": "4.0.0"}',
      /^api\.json#\/openapi: is OpenAPI 4\.0\.0, and 3\.0 or 3\.1 is needed$/,
    ],
    ['no paths', '{"openapi": "3.1.0"}', /^api\.json#\/paths: has no paths/],
  ])('%s', async (_, text, message) => {
    expect(await mistakesOf(text, 'api.json')).toEqual([expect.stringMatching(message)])
  })

  test('each reference that leads nowhere, also within other files', async () => {
    writeFileSync(join(folder, 'pets.yaml'), 'Pet: { properties: { owner: { $ref: "#/Owner" } } }')
    const text = `${head}
paths:
  /pets/{id}:
    get:
      parameters: [{ $ref: '#/components/parameters/id' }]
      responses:
        200: { content: { application/json: { schema: { $ref: 'pets.yaml#/Pet' } } } }
        404: { content: { application/json: { schema: { $ref: 'none.yaml#/Problem' } } } }
`
    expect(await mistakesOf(text)).toEqual([
      "api.yaml#/paths/~1pets~1{id}/get/parameters/0/$ref: there is no '#/components/parameters/id'",
      'api.yaml#/paths/~1pets~1{id}/get/responses/404/content/application~1json/schema/$ref: none.yaml: there is no such file',
      "pets.yaml#/Pet/properties/owner/$ref: there is no '#/Owner'",
    ])
  })

  test('references in a circle, and aliases in one', async () => {
    const ring = `${head}paths: {}\ncomponents: { schemas: { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } } }`
    expect(await mistakesOf(ring)).toEqual([
      "api.yaml#/components/schemas/A/$ref: '#/components/schemas/B' leads in a circle",
      "api.yaml#/components/schemas/B/$ref: '#/components/schemas/A' leads in a circle",
    ])
    const alias = `${head}paths: {}\ncomponents: { schemas: { Tree: &tree { properties: { parent: *tree } } } }`
    expect(await mistakesOf(alias)).toEqual([
      'api.yaml#/components/schemas/Tree/properties/parent: contains itself by an alias of YAML: use a $ref',
    ])
  })

  test('what is no path and no operation', async () => {
    expect(await mistakesOf(`${head}paths: { pets: {}, /toys: null, /cats: { get: [] } }`)).toEqual([
      'api.yaml#/paths/pets: a path begins with /',
      'api.yaml#/paths/~1toys: a path is an object with operations',
      'api.yaml#/paths/~1cats/get: an operation is an object',
    ])
  })
})

test('a field may be named $ref, and a ring of schemas is fine', async () => {
  const file = join(folder, 'fine.yaml')
  const schema = `{ properties: { $ref: { type: string }, tree: { $ref: '#/components/schemas/Tree' } } }`
  writeFileSync(file, `openapi: 3.0.0\npaths: {}\ncomponents: { schemas: { Tree: ${schema} } }`)
  await expect(read(file)).resolves.toMatchObject({ operations: 0, report: [] })
})
