#!/usr/bin/env node
// Rewrites an application of another library, or of an earlier Roundtable: npx @roundtable/codemods data-client src
// Files are changed in place; --dry only reports. Uncertain places get a comment: TODO(roundtable).
import { readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataClient, dataClientCompat } from './data-client.mjs'
import { roundtable } from './roundtable.mjs'
import { Source } from './source.mjs'
import { tanstackQuery } from './tanstack-query.mjs'

const codemods = {
  'data-client': dataClient,
  'data-client-compat': dataClientCompat,
  'tanstack-query': tanstackQuery,
  roundtable,
}
const code = /(?<!\.d)\.(?:[cm]?[jt]sx?|vue|svelte)$/

/** Rewrites files. @param files their names and texts @returns each file with its new text, its comments and notes */
export function rewrite(name, files) {
  const sources = files.map((file) => new Source(file.name, file.text))
  codemods[name](sources)
  return sources.map((source) => source.finish())
}

function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .filter((name) => !/^(?:node_modules|dist|build|coverage)$|^\./.test(name))
    .flatMap((name) => filesIn(join(path, name)))
    .filter((file) => code.test(file))
}

function main() {
  const [name, ...rest] = process.argv.slice(2)
  const paths = rest.filter((argument) => argument !== '--dry')
  if (!Object.hasOwn(codemods, name ?? '') || paths.length === 0) {
    console.error(`Usage: npx @roundtable/codemods ${Object.keys(codemods).join('|')} FOLDER_OR_FILE… [--dry]`)
    process.exitCode = 1
    return
  }
  const files = paths.flatMap(filesIn).map((file) => ({ name: file, text: readFileSync(file, 'utf8') }))
  const results = rewrite(name, files)
  const changed = results.filter(({ isChanged }) => isChanged)
  if (!rest.includes('--dry')) for (const file of changed) writeFileSync(file.name, file.text)
  for (const file of results) {
    for (const { line, message } of file.todos) console.log(`${file.name}:${line}: to do: ${message}`)
    for (const { line, message } of file.notes) console.log(`${file.name}:${line}: note: ${message}`)
  }
  const open = results.reduce((sum, { todos }) => sum + todos.length, 0)
  console.log(`${changed.length} of ${files.length} files changed, ${open} comments TODO(roundtable) left`)
}

// npx calls it through a link.
if (process.argv[1] && realpathSync(process.argv[1]) === import.meta.filename) main()
