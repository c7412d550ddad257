#!/usr/bin/env node
// Writes definitions from an OpenAPI description: npx roundtable-openapi openapi.json src/api
import { parseArgs } from 'node:util'

const HELP = `roundtable-openapi DESCRIPTION FOLDER [options]

Writes the endpoints, entities and lists of an OpenAPI description, as types.gen.ts and roundtable.gen.ts. DESCRIPTION is a file or
an address, JSON or YAML.

  --base-url URL      the address of the server (the first server of the description)
  --pk SCHEMA=FIELD   the field with the primary key of a schema; may be repeated
  --same KIND=A,B     schemas that are one kind of rows; may be repeated
  --dates             fields of rows with the format date-time are Dates
  --strict            exits with 1 if anything stayed plain

Exits with 1 if the description cannot be read.`

/** Ends the command with the reason. */
function stop(reason) {
  console.error(reason)
  process.exit(1)
}

function readArgs() {
  const options = {
    'base-url': { type: 'string' },
    pk: { type: 'string', multiple: true },
    same: { type: 'string', multiple: true },
    dates: { type: 'boolean' },
    strict: { type: 'boolean' },
    help: { type: 'boolean' },
  }
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    return stop(error.message)
  }
}

/** The pairs of an option that is repeated: `Book=isbn`. */
function pairsOf(option, texts = []) {
  return texts.map((text) => {
    const [, name, value] = /^([^=]+)=(.+)$/.exec(text) ?? stop(`--${option} takes NAME=VALUE, found '${text}'.`)
    return [name, value]
  })
}

const { values, positionals } = readArgs()
const [input, output, ...more] = positionals
if (values.help) {
  console.log(HELP)
  process.exit(0)
}
if (output === undefined || more.length > 0) {
  stop('Name a description and a folder: npx roundtable-openapi openapi.json src/api')
}
const options = {
  input,
  output,
  baseUrl: values['base-url'],
  pk: Object.fromEntries(pairsOf('pk', values.pk)),
  same: Object.fromEntries(pairsOf('same', values.same).map(([kind, names]) => [kind, names.split(',')])),
  dates: values.dates,
}

const { DescriptionError, generate } = await import('@roundtable/openapi')
const { files, operations, kinds, report } = await generate(options).catch((error) => {
  if (error instanceof DescriptionError) return stop(error.message)
  throw error
})
for (const { at, message } of report) console.warn(`${at}: ${message}`)
console.log(`${operations} operations and ${kinds.length} kinds of rows are in ${files.join(' and ')}.`)
if (report.length > 0) console.log(`${report.length} ${report.length === 1 ? 'place is' : 'places are'} named above.`)
if (values.strict && report.length > 0) process.exitCode = 1
