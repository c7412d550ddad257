import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as core from '@roundtable/core'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { referencePages } from '../../docs/.vitepress/reference/pages.js'
import { readEntryPoints } from '../../docs/.vitepress/reference/read.js'
import { writeReference } from '../../docs/.vitepress/reference/write.js'
import { exportedNames, parse } from '../docs/known-names.js'

const root = join(import.meta.dirname, '../..')
const folders = [
  'core',
  'devtools',
  'openapi',
  ...readdirSync(join(root, 'adapters')).map((name) => join('adapters', name)),
]
const pages = writeReference(referencePages(readEntryPoints()))
/** The anchors and names that the pages have. */
const anchors = new Set(
  [...pages.values()].flatMap((text) => [...text.matchAll(/\{#([\w.-]+)\}|id="([\w.-]+)"/g)].map(([, a, b]) => a ?? b)),
)

/** The source files of all packages, as syntax: what the pages must have is read without the code that makes them. */
const sources = folders.flatMap((folder) => {
  const src = join(root, folder, 'src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
  return files.map((file) => parse(file, readFileSync(join(src, file), 'utf8')))
})

describe('the reference has', () => {
  test.each(folders)('every export of %s', (folder) => {
    const names = entryFiles(folder).flatMap((file) => [...exportedNames(file).keys()])
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name) => !anchors.has(name))).toEqual([])
  })

  test('every option', () => {
    const exported = new Set(
      folders.flatMap((folder) => entryFiles(folder).flatMap((file) => [...exportedNames(file).keys()])),
    )
    const own = ['RuntimeOptions', 'CollectionOptions', 'ScalarOptions', 'MixinOptions', 'ResourceGenerics']
    const wanted = sources.flatMap((source) =>
      source.statements.filter(ts.isInterfaceDeclaration).flatMap(({ name: { text }, members }) => {
        const isOptions =
          /(?:Options|Generics|Props|Slots|Events)$/.test(text) && (exported.has(text) || own.includes(text))
        return isOptions ? members.map((member) => member.name?.getText() ?? '') : []
      }),
    )
    expect(wanted).toEqual(
      expect.arrayContaining(['dataExpiryLength', 'nonFilterArgumentKeys', 'movePath', 'requestKey']),
    )
    const known = new Set([...anchors].map((anchor) => anchor?.split('.').at(-1)))
    expect(wanted.filter((name) => !known.has(name))).toEqual([])
  })

  test('every static member', () => {
    const inherited = new Set(['length', 'name', 'prototype'])
    const wanted = Object.entries(core).flatMap(([name, value]) =>
      typeof value === 'function' && /^class\b/.test(String(value))
        ? Object.getOwnPropertyNames(value)
            .filter((member) => !inherited.has(member))
            .map((member) => `${name}.${member}`)
        : [],
    )
    expect(wanted).toEqual(expect.arrayContaining(['Entity.process', 'Entity.fromJS', 'Entity.indexes']))
    expect(wanted.filter((name) => !anchors.has(name))).toEqual([])
  })

  test('every event of a controller', () => {
    const events = sources.flatMap((source) =>
      source.statements
        .filter(ts.isInterfaceDeclaration)
        .flatMap(({ name: { text }, members }) =>
          text === 'ControllerEvents' ? members.map((member) => `ControllerEvents.${member.name?.getText()}`) : [],
        ),
    )
    expect(events).toContain('ControllerEvents.settle')
    expect(events.filter((name) => !anchors.has(name))).toEqual([])
  })
})

test('the navigation has every page of the reference', async () => {
  const { sidebar } = await import('../../docs/.vitepress/navigation.js')
  const links = JSON.stringify(sidebar)
  const names = [...pages.keys()].map((file) => file.replace(/(?:index)?\.md$/, ''))
  expect(names.filter((name) => !links.includes(`"/reference/${name}"`))).toEqual([])
})

function entryFiles(folder: string): readonly string[] {
  const { exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    readonly exports: { readonly [path: string]: { readonly '@roundtable/source'?: string } }
  }
  return Object.values(exports).flatMap(({ '@roundtable/source': file }) =>
    file === undefined ? [] : [join(root, folder, file)],
  )
}
