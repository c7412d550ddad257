import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('../../core/src', import.meta.url))

/**
 * State that may live at module level and change: pure caches that are bounded, or go with the class that they belong
 * to.
 */
const allowed = [
  // Each goes with the query that shows its list differently.
  'client/pages.ts marked',
  // Each goes with the query of its list.
  'client/pages.ts paged',
  // Which origins a controller's requests wait for: it goes with the controller.
  'endpoint/retry.ts holdsOf',
  // Goes with its list: in development only.
  'engine/other-list.ts lastReads',
  // Code that is on its way: it is the same for every controller of the page.
  'collections/collection.ts loadingPages',
  // The mutations of each scope: they go with the controller.
  'engine/scope.ts turnsOf',
  // The validators of a key: they go with it.
  'http/notes.ts notesOf',
  // What another tab has told of an error: it goes with the error.
  'offline/answers.ts told',
  // The courier of each controller: it goes with it.
  'offline/couriers.ts couriers',
  // How the members of a list became what they are, and where they are: both go with the members.
  'lists/edits.ts derivations',
  'lists/edits.ts places',
  // What was shown of deleted rows: it goes with them.
  'table/row-view.ts gone',
  // Goes with its controller.
  'nanostores.ts guards',
  'path/template.ts recent',
  // The request of a response: it goes with the response.
  'rest/rest-endpoint.ts sentOf',
  'schema/instance.ts makers',
  'schema/instance.ts defaults',
  // Which classes a developer was warned of: in development only.
  'schema/class-key.ts warned',
  // Clocks that somebody waits for, while they do.
  'testing/hand-clock.ts waiting',
  // A mark on a value that a user hands over: it goes with the value, or when a controller takes it.
  'util/transfer.ts transferred',
]

const files = (readdirSync(source, { recursive: true }) as string[]).filter((file) => file.endsWith('.ts'))

/** Declarations at the start of a line are the module's own: everything else is indented. */
const declaration = /^(?:export )?(let|var|const) ([\w$]+)([^\n]*)/gm
/** Holds what can be added to. */
const container = /new (?:Map|Set|WeakMap|WeakSet|WeakRef|Array|AbortController|\w*Cache)\b|= \[\]|= \{\}/

function changes(text: string, name: string): boolean {
  return new RegExp(`\\b${name}(?:\\.(?:set|add|delete|clear|push|splice|unshift|pop|shift)\\(|\\[[^\\]]+\\] =)`).test(
    text,
  )
}

test('S2: no module keeps state that changes, but for bounded pure caches', () => {
  const found: string[] = []
  for (const file of files) {
    const text = readFileSync(join(source, file), 'utf8')
    for (const [, kind, name = '', rest = ''] of text.matchAll(declaration)) {
      const isState = kind !== 'const' || (container.test(rest) && changes(text, name))
      if (isState) found.push(`${file} ${name}`)
    }
    for (const [, name] of text.matchAll(
      /^ {2}static (?!get |set |readonly |override |async )([\w$#]+)[^\n(]* = new (?:Map|Set|WeakMap)/gm,
    ))
      found.push(`${file} static ${name}`)
  }
  expect(found.sort()).toEqual([...allowed].sort())
})
