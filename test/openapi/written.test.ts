import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from '@roundtable/openapi'
import { afterAll, describe, expect, test } from 'vitest'
import { exportsOf, operationIds } from './read.js'

const here = import.meta.dirname
const folder = mkdtempSync(join(tmpdir(), 'roundtable-openapi-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The files of a folder, with their texts. */
function filesOf(path: string): Readonly<Record<string, string>> {
  return Object.fromEntries(readdirSync(path).map((file) => [file, readFileSync(join(path, file), 'utf8')]))
}

// `tsc -p test` checks what is in `generated`, and calls.ts what it accepts. After a change of the generator write it
// anew, with node openapi/bin/roundtable-openapi.mjs test/openapi/fixtures/pets.yaml test/openapi/generated/pets
describe.each(readdirSync(join(here, 'fixtures')))('%s', (fixture) => {
  const name = fixture.replace(/\.\w+$/, '')
  const input = join(here, 'fixtures', fixture)

  test('is written as the folder generated has it, and a second run changes nothing', async () => {
    const output = join(folder, name)
    await generate({ input, output })
    expect(filesOf(output)).toEqual(filesOf(join(here, 'generated', name)))
    writeFileSync(join(output, 'mine.ts'), '// of the user')
    const { mtimeMs } = statSync(join(output, 'roundtable.gen.ts'))
    const before = filesOf(output)
    await generate({ input, output })
    expect(filesOf(output)).toEqual(before)
    expect(statSync(join(output, 'roundtable.gen.ts')).mtimeMs).toBe(mtimeMs)
  })

  test('has each operation as a constant, and no any', () => {
    const text = readFileSync(join(here, 'generated', name, 'roundtable.gen.ts'), 'utf8')
    const constants = exportsOf(text)
    expect(operationIds(input).filter((id) => !constants.has(id))).toEqual([])
    expect(text.replace(/\/\*[\s\S]*?\*\//g, '')).not.toMatch(/\bany\b/)
  })
})

test('the code of the guide is what its description is written as', async () => {
  const guide = join(here, '../../docs/snippets/openapi')
  await generate({ input: join(guide, 'openapi.yaml'), output: join(folder, 'guide') })
  expect(filesOf(join(folder, 'guide'))).toEqual(filesOf(join(guide, 'api')))
})

test('the same description as YAML and JSON, 3.0 and 3.1, is written as the same code', async () => {
  const yaml = `openapi: 3.0.3
info: { title: T, version: '1' }
paths:
  /notes/{id}:
    get:
      operationId: getNote
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: A note, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } } }
components:
  schemas:
    Note:
      type: object
      required: [id, text]
      properties: { id: { type: string }, text: { type: string, nullable: true }, parent: { nullable: true, allOf: [{ $ref: '#/components/schemas/Note' }] } }
`
  const { load } = await import('js-yaml')
  const json = load(yaml.replace('3.0.3', '3.1.0')) as { components: { schemas: { Note: { properties: object } } } }
  json.components.schemas.Note.properties = {
    id: { type: 'string' },
    text: { type: ['string', 'null'] },
    parent: { anyOf: [{ $ref: '#/components/schemas/Note' }, { type: 'null' }] },
  }
  writeFileSync(join(folder, 'notes.yaml'), yaml)
  writeFileSync(join(folder, 'notes.json'), JSON.stringify(json))
  await generate({ input: join(folder, 'notes.yaml'), output: join(folder, 'yaml') })
  await generate({ input: join(folder, 'notes.json'), output: join(folder, 'json') })
  const text = readFileSync(join(folder, 'yaml/roundtable.gen.ts'), 'utf8')
  expect(text).toContain('parent?: Note | null | undefined')
  expect(readFileSync(join(folder, 'json/roundtable.gen.ts'), 'utf8')).toBe(text)
})

test('a description in several files is one', async () => {
  cpSync(join(here, 'fixtures/pets.yaml'), join(folder, 'whole.yaml'))
  const parts = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /pets/{petId}: { $ref: 'whole.yaml#/paths/~1pets~1{petId}' }
`
  writeFileSync(join(folder, 'parts.yaml'), parts)
  const { operations, kinds } = await generate({ input: join(folder, 'parts.yaml'), output: join(folder, 'parts') })
  expect([operations, kinds]).toEqual([3, expect.arrayContaining(['Pet'])])
})
