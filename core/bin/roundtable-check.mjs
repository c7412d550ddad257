#!/usr/bin/env node
// Checks a server by the definitions in a file: npx roundtable-check src/api.ts --url http://localhost:3000
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { checkServer } from '@roundtable/core/check'

const HELP = `roundtable-check FILE [options]

Checks whether a server keeps what the resources that FILE exports rely on. FILE may also export
checks = { TodoResource: { filters: ['userId'], example: { title: 'A test' }, change: { title: 'Another' } } }.

  --url URL        the address of the server, in place of urlPrefix
  --read-only      sends GET alone (the default)
  --write          creates, changes and deletes rows of its own, for resources with an example
  --only NAME      checks this resource alone; may be repeated
  --header 'N: V'  a header of all requests; may be repeated
  --timeout MS     how long a response may take (10000)
  --json           prints the results as JSON

Exits with 1 if a rule fails, and with 2 if nothing could be checked.`

/** Ends the command: nothing could be checked. */
function stop(reason) {
  console.error(reason)
  process.exit(2)
}

function readArgs() {
  const options = {
    url: { type: 'string' },
    'read-only': { type: 'boolean' },
    write: { type: 'boolean' },
    only: { type: 'string', multiple: true },
    header: { type: 'string', multiple: true },
    timeout: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  }
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    return stop(`${error.message}\n\n${HELP}`)
  }
}

/** Loads a file; TypeScript by the application's tsx, or by Node itself if that can. */
async function load(file) {
  const path = resolve(file)
  if (!existsSync(path)) stop(`There is no file ${file}.`)
  const url = pathToFileURL(path).href
  try {
    if (!/\.[cm]?tsx?$/.test(path)) return await import(url)
    const tsx = await import('tsx/esm/api').catch(() => undefined)
    if (tsx) return await tsx.tsImport(url, import.meta.url)
    if (process.features.typescript) return await import(url)
  } catch (error) {
    stop(`${file} cannot be loaded: ${error.stack}`)
  }
  return stop(`${file} is TypeScript, which this Node does not read by itself: npm install -D tsx`)
}

/** What resource() returns, and any record with an endpoint for a list or a row. */
function isResource(value) {
  const isEndpoint = (endpoint) => typeof endpoint === 'function' && typeof endpoint.path === 'string'
  return typeof value === 'object' && value !== null && (isEndpoint(value.getList) || isEndpoint(value.get))
}

function headersOf(lines = []) {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] =
        /^([\w-]+):\s*(.*)$/.exec(line) ?? stop(`--header '${line}' is no header: write 'name: value'.`)
      return [name, value]
    }),
  )
}

const { values, positionals } = readArgs()
const [file, ...more] = positionals
if (values.help || file === undefined || more.length > 0) {
  console.log(HELP)
  process.exit(values.help ? 0 : 2)
}
if (values.write && values['read-only']) stop('--write and --read-only exclude each other.')
const timeout = Number(values.timeout ?? 10_000)
if (!(timeout > 0)) stop(`--timeout must be a number of milliseconds, found '${values.timeout}'.`)
if (values.url !== undefined && !/^https?:\/\//.test(values.url))
  stop(`--url must begin with http:// or https://, found '${values.url}'.`)

const module = await load(file)
const { checks = {} } = module
const resources = Object.entries(module).filter(([, value]) => isResource(value))
const names = resources.map(([name]) => name)
const unknown = [...(values.only ?? []), ...Object.keys(checks)].find((name) => !names.includes(name))
if (unknown !== undefined) stop(`${file} exports no resource ${unknown}. There are: ${names.join(', ') || 'none'}.`)
const wanted = resources.filter(([name]) => values.only?.includes(name) ?? true)
if (wanted.length === 0) stop(`${file} exports no resource: an object with getList or get.`)

const found = {}
for (const [name, resource] of wanted) {
  const options = {
    ...checks[name],
    headers: { ...checks[name]?.headers, ...headersOf(values.header) },
    readOnly: !values.write,
    timeout,
    ...(values.url !== undefined && { urlPrefix: values.url }),
  }
  try {
    found[name] = await checkServer(resource, options)
  } catch (error) {
    stop(`${name} cannot be checked: ${error.message}`)
  }
}

const all = Object.values(found).flat()
const count = (verdict) => all.filter((result) => result.verdict === verdict).length
if (values.json) console.log(JSON.stringify(found, undefined, 2))
else {
  for (const [name, results] of Object.entries(found)) {
    console.log(name)
    for (const { rule, verdict, detail } of results) {
      if (verdict !== 'skipped') console.log(`  ${verdict.padEnd(5)} ${rule}${detail && `: ${detail}`}`)
    }
  }
  console.log(`\n${count('fails')} failed, ${count('warns')} warned, ${count('ok')} ok, ${count('skipped')} skipped`)
}
process.exitCode = count('fails') > 0 ? 1 : 0
