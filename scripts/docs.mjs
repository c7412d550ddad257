// The documentation site: `node scripts/docs.mjs dev` serves it, `build` builds it into docs/.vitepress/dist.
// Installs missing packages and builds them.
import { join } from 'node:path'
import { bin, root, run, turboBuild } from './checks.mjs'

const [command = 'dev', ...options] = process.argv.slice(2)
const docs = join(root, 'docs')

await must([join(root, 'scripts/setup.mjs'), '--in=docs'])
// Pages run our packages as users get them.
const packages = ['--filter=./core', '--filter=./adapters/*']
await must(turboBuild('--output-logs=errors-only', ...packages))
const tsx = bin('tsx/dist/cli.mjs')
await must([tsx, join(docs, '.vitepress/reference/main.ts')])
if (command === 'dev') await must([tsx, join(docs, '.vitepress/written/main.ts')])
const vitepress = [join(docs, 'node_modules/vitepress/bin/vitepress.js'), command, docs, ...options]
if (command === 'build') await mustBeQuiet(vitepress)
else await must(vitepress)

async function must(args) {
  const { code } = await run(args)
  if (code !== 0) process.exit(code)
}

/** Warnings, such as of code in a language that nothing highlights, fail as dead links do. */
async function mustBeQuiet(args) {
  const { code, output } = await run(args, { capture: true })
  console.log(output.trim())
  const warnings = output.split('\n').filter((line) => /\(!\)|\bwarn(?:ing)?\b|falling back/i.test(line))
  if (warnings.length > 0) console.error(`\n${warnings.length} warnings, see above.`)
  process.exitCode = code !== 0 ? code : warnings.length > 0 ? 1 : 0
}
