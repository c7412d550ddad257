// The documentation site: `node scripts/docs.mjs dev` serves it, `build` builds it into docs/.vitepress/dist. Installs and builds what is missing.
import { join } from 'node:path'
import { bin, root, run } from './checks.mjs'

const [command = 'dev', ...options] = process.argv.slice(2)
const docs = join(root, 'docs')

await must([join(root, 'scripts/setup.mjs'), '--in=docs'])
// Pages run our packages as users get them.
await must([bin('turbo/bin/turbo'), 'run', 'build', '--output-logs=errors-only'])
await must([bin('tsx/dist/cli.mjs'), join(docs, '.vitepress/reference/main.ts')])
await must([join(docs, 'node_modules/vitepress/bin/vitepress.js'), command, docs, ...options])

async function must(args) {
  const { code } = await run(args)
  if (code !== 0) process.exit(code)
}
