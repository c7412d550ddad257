// The sizes that README and the documentation tell. Fails if one is not what the built packages weigh (gzip, by esbuild); with --write it
// writes them.
//
//     npm run size:pages -- --write
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { imports, weigh } from './weigh.mjs'

const root = join(import.meta.dirname, '../..')

/** The names of the figures, and how the import's name begins in imports.json. */
const names = {
  alone: 'core: RestEndpoint alone',
  core: 'core: RestEndpoint, Entity, Controller',
  fewest: 'React, fewest',
  react: 'React, usual',
  vue: 'Vue, usual',
  svelte: 'Svelte, usual',
  tanstack: 'TanStack Query, React',
  swr: 'SWR',
  rtk: 'Redux Toolkit Query, React',
  apollo: 'Apollo Client, React',
  urql: 'urql with Graphcache',
  dataClient: 'data-client 0.10',
}

/** Where figures are: the pattern has `#` for each, in the order of the names. A decimal place is told as it is written. */
const places = [
  ['README.md', 'about # kB more than TanStack Query', [(kB) => kB.react - kB.tanstack]],
  ['README.md', '`npm run size`) | # | # | # | **#** |', ['react', 'tanstack', 'tanstack', 'swr']],
  ['docs/coming-from/swr.md', 'its size: # kB instead of # ', ['swr', 'react']],
  ['docs/coming-from/rtk-query.md', 'its size: # kB instead of #,', ['rtk', 'react']],
  ['docs/coming-from/tanstack-query.md', 'the size: # kB instead of # ', ['tanstack', 'react']],
  ['docs/comparison.md', 'SWR: `useSWR` and mutation | # |', ['swr']],
  ['docs/comparison.md', '`useMutation` | # |', ['tanstack']],
  ['docs/comparison.md', 'its rest package, no bindings | # |', ['dataClient']],
  ['docs/comparison.md', 'Graphcache, no bindings | # |', ['urql']],
  ['docs/comparison.md', 'Redux Toolkit Query for React | # |', ['rtk']],
  ['docs/comparison.md', '`Entity`, `Controller` | # |', ['fewest']],
  ['docs/comparison.md', '`useLoading` | # |', ['react']],
  ['docs/comparison.md', 'Apollo Client for React | # |', ['apollo']],
  ['docs/guides/performance-and-size.md', 'requests without a store | # |', ['alone']],
  ['docs/guides/performance-and-size.md', 'a store without a framework | # |', ['core']],
  ['docs/guides/performance-and-size.md', '`useController` and these | # |', ['fewest']],
  ['docs/guides/performance-and-size.md', '`useLoading` | # |', ['react']],
  ['docs/guides/performance-and-size.md', 'Vue, usual | # |', ['vue']],
  ['docs/guides/performance-and-size.md', 'Svelte, usual | # |', ['svelte']],
  ['docs/guides/performance-and-size.md', '`useMutation` | # |', ['tanstack']],
  ['docs/guides/performance-and-size.md', 'SWR: `useSWR` and mutation | # |', ['swr']],
  ['docs/guides/performance-and-size.md', 'Redux Toolkit Query for React | # |', ['rtk']],
  ['docs/guides/performance-and-size.md', 'Apollo Client for React | # |', ['apollo']],
  ['docs/guides/performance-and-size.md', 'Graphcache, no bindings | # |', ['urql']],
  ['docs/guides/performance-and-size.md', 'its rest package, no bindings | # |', ['dataClient']],
]

const kB = {}
for (const [name, start] of Object.entries(names)) {
  const { code } = imports.find((each) => each.name.startsWith(start))
  kB[name] = (await weigh(code)).gzip / 1000
}

const wrong = places.flatMap(([file, text, figures]) => corrected(file, text, figures))
if (process.argv.includes('--write')) console.log(wrong.join('\n') || 'All sizes are right.')
else if (wrong.length > 0) {
  console.error(`${wrong.join('\n')}\nWrite them: npm run size:pages -- --write`)
  process.exitCode = 1
}

/** What is wrong in a place; with --write it is right afterwards. A figure may be off by its last digit, as compilers' versions make it. */
function corrected(file, text, figures) {
  const path = join(root, file)
  const content = readFileSync(path, 'utf8')
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const pattern = new RegExp(escaped.replaceAll('#', '(\\d+(?:\\.\\d)?)'))
  const found = pattern.exec(content)
  if (!found) return [`${file}: '${text}' is not there any more: change it in benchmarks/size/pages.mjs too`]
  const [shown, ...told] = found
  const digits = told.map((figure) => (figure.includes('.') ? 1 : 0))
  const real = figures.map((figure, i) => (typeof figure === 'string' ? kB[figure] : figure(kB)).toFixed(digits[i]))
  const isRight = told.every((figure, i) => Math.abs(figure - real[i]) < 1.5 * 10 ** -digits[i])
  if (process.argv.includes('--write')) {
    if (told.join() === real.join()) return []
    let next = 0
    const written = text.replaceAll('#', () => real[next++])
    writeFileSync(
      path,
      content.replace(shown, () => written),
    )
  } else if (isRight) return []
  return [`${file}: ${shown} should be ${real.join(', ')}`]
}
