// What the checker does for 200 endpoints and 40 resources, and for 50 entities from schemas of other libraries. It
// fails above the ceiling; `--quick` leaves the breakdown out. Instantiations and types are the same in every run; the
// time is that of this machine, now.
import { readFileSync } from 'node:fs'
import { corpus } from './corpus.mjs'
import { entities } from './entities.mjs'
import { measure } from './measure.mjs'

const ceiling = JSON.parse(readFileSync(new URL('./ceiling.json', import.meta.url), 'utf8'))
const base = measure(corpus(0, 0))

/** The cost of a program beyond that of the library itself. */
function show(endpoints, resources) {
  const whole = measure(corpus(endpoints, resources))
  const instantiations = whole.instantiations - base.instantiations
  const types = whole.types - base.types
  const milliseconds = Math.round(whole.milliseconds - base.milliseconds)
  const what = `${endpoints} endpoints, ${resources} resources`
  console.log(`${what}: ${instantiations} instantiations, ${types} types, ${milliseconds} ms`)
  return { instantiations, types, errors: whole.errors }
}

const { instantiations, types, errors } = show(200, 40)
if (!process.argv.includes('--quick')) {
  show(200, 0)
  show(0, 40)
}

/** The cost of 50 entities with their resources beyond that of what they import. */
function showEntities(library, classes) {
  const none = measure(entities(0, library))
  const all = measure(entities(50, library))
  errors.push(...all.errors)
  const cost = all.instantiations - none.instantiations
  const times = classes === undefined ? '' : `, ${(cost / classes).toFixed(2)} times that of classes`
  console.log(`50 entities with resources, ${library}: ${cost} instantiations${times}`)
  if (cost / classes > ceiling.timesClasses[library])
    errors.push(`Entities of ${library} are above ${ceiling.timesClasses[library]} times the cost of classes.`)
  return cost
}

const classes = showEntities('classes')
const libraries = process.argv.includes('--quick') ? ['zod', 'valibot'] : Object.keys(ceiling.timesClasses)
for (const library of libraries) showEntities(library, classes)
for (const error of errors) console.error(error)
if (instantiations > ceiling.instantiations || types > ceiling.types || errors.length > 0) {
  console.error(`Above the ceiling of ${JSON.stringify(ceiling)}, or with errors. Find what made the types dearer.`)
  process.exitCode = 1
}
