// Installs each example of server rendering with the packages as they would be published, builds it for production, and
// opens it in Chromium. Ends with a table, framework × proof, and the line `N passed, N failed`. With names it runs
// those alone: node scripts/test-ssr.mjs own-server next
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { bin, check, root, runSections, runVitest } from './checks.mjs'
import { findChromium } from './chromium.mjs'
import { folder, installExample, packPackages } from './install-examples.mjs'

const examples = readdirSync(join(root, 'examples/ssr'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
/** The outcome of each proof of each framework: framework → number → its tests. */
const proofs = new Map()
let packed

await runSections(Object.fromEntries(examples.map((name) => [name, () => prove(name)])), { summary })

async function prove(name) {
  const chromium = findChromium()
  if (!chromium) {
    console.log('skipped: no Chromium found. Install one, or set CHROMIUM_PATH to its program.')
    return
  }
  packed ??= packPackages()
  installExample(name, packed)
  await checkTypes(name)
  const env = { SSR_FOLDER: folder, CHROMIUM_PATH: chromium }
  const result = await runVitest(name, ['--config=test/projects/ssr.ts', `test/ssr/${name}.test.ts`], { env })
  const tests = (result?.testResults ?? []).flatMap((file) => file.assertionResults)
  for (const { ancestorTitles, title, status } of tests) note(ancestorTitles[0], title.split(' ')[0], status)
}

/** Framework-specific files need the framework's compiler and generated files. */
async function checkTypes(name) {
  const cwd = join(folder, name)
  const program = (path) => join(cwd, 'node_modules', path)
  if (name === 'nuxt') return check('types of nuxt', [program('nuxt/bin/nuxt.mjs'), 'typecheck'], { cwd })
  if (name === 'sveltekit') {
    await check('types that sveltekit generates', [program('@sveltejs/kit/svelte-kit.js'), 'sync'], { cwd })
    return check('types of sveltekit', [program('svelte-check/bin/svelte-check'), '--fail-on-warnings'], { cwd })
  }
  return check(`types of ${name}`, [bin('typescript/bin/tsc'), '-p', cwd])
}

function note(framework, proof, status) {
  const row = proofs.get(framework) ?? new Map()
  proofs.set(framework, row)
  if (status === 'passed' || status === 'failed') row.set(proof, [...(row.get(proof) ?? []), status])
}

/** A number is how many tests of a proof have passed, – a proof that does not apply. */
function summary() {
  const columns = ['1', '2', '3', '4', '5', '6', '7', '8']
  const width = Math.max(0, ...[...proofs.keys()].map(({ length }) => length))
  console.log(`\n${'proof'.padEnd(width)}  ${columns.map((column) => column.padStart(3)).join('')}`)
  for (const [framework, row] of proofs) {
    const cells = columns.map((column) => cell(row.get(column)).padStart(3))
    console.log(`${framework.padEnd(width)}  ${cells.join('')}`)
  }
  console.log(`\nThe examples are in ${folder}.`)
}

function cell(statuses) {
  if (statuses === undefined) return '–'
  return statuses.includes('failed') ? '✗' : `${statuses.length}`
}
