// Writes the reference into docs/reference.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { referencePages } from './pages.js'
import { readEntryPoints } from './read.js'
import { writeReference } from './write.js'

const folder = join(import.meta.dirname, '../../reference')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const [name, text] of writeReference(referencePages(readEntryPoints()))) writeFileSync(join(folder, name), text)
