import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const text = readFileSync(join(import.meta.dirname, '../CONTRIBUTING.md'), 'utf8')
const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.split('\n'))
const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)

/** The commands that CONTRIBUTING.md shows, in blocks and within sentences, without their comments. */
export const commands: readonly string[] = [...new Set([...blocks, ...spans])]
  .map((line) => line.replace(/\s+#.*$/, '').trim())
  .filter((line) => /^(?:[A-Z_]+=\S+ )*(?:npm|npx|node) |^\.ci\/run$/.test(line))
