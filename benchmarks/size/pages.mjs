// The sizes that README and the documentation tell are in results/size.json: bytes, minified and compressed with gzip,
// of the imports that have a `page` in imports.json. Fails if one is not what the built packages weigh; with --write it
// writes them, and the pages.
//
//     npm run size:pages -- --write
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bin, run } from '../../scripts/checks.mjs'
import { imports, weigh } from './weigh.mjs'

const root = join(import.meta.dirname, '../..')
const file = join(root, 'benchmarks/results/size.json')

/** Pages have one decimal place, which may be off by one, as compilers' versions make it. */
const tolerance = 150

const sizes = {}
for (const { page, code } of imports) if (page !== undefined) sizes[page] = (await weigh(code)).gzip

if (process.argv.includes('--write')) {
  writeFileSync(file, `${JSON.stringify(sizes, undefined, 2)}\n`)
  const { code } = await run([bin('tsx/dist/cli.mjs'), join(root, 'docs/.vitepress/written/main.ts')])
  process.exitCode = code
} else {
  const told = JSON.parse(readFileSync(file, 'utf8'))
  const pages = new Set([...Object.keys(told), ...Object.keys(sizes)])
  const wrong = [...pages].filter((page) => !(Math.abs(told[page] - sizes[page]) < tolerance))
  for (const page of wrong) console.error(`${page}: the pages tell ${told[page]} bytes, it is ${sizes[page]}`)
  if (wrong.length > 0) console.error('Write them: npm run size:pages -- --write')
  process.exitCode = wrong.length > 0 ? 1 : 0
}
