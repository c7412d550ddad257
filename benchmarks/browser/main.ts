// The browser suite: builds the page, runs everything in Chromium, writes ../results/browser.md and browser.json.
//
//     npm run bench:browser [-- --quick]
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { findChromium } from '../../scripts/chromium.mjs'
import { line, machine, markdown } from './report.js'
import { serve } from './serve.js'
import { FULL, QUICK, runSuite } from './suite.js'

const isQuick = process.argv.includes('--quick')
const started = performance.now()
const executablePath = findChromium()
if (executablePath === undefined) throw new Error('No Chromium found. Install one, or set CHROMIUM_PATH.')
const site = await serve(fileURLToPath(new URL('.', import.meta.url)))
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--js-flags=--expose-gc'],
})
try {
  const findings = await runSuite(browser, site.url, isQuick ? QUICK : FULL, (comparison) =>
    console.log(line(comparison)),
  )
  const run = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${machine()}, Chromium ${browser.version()}`,
    versions: versions(),
    seconds: Math.round((performance.now() - started) / 1000),
    ...findings,
  }
  if (!isQuick) {
    write('browser.json', `${JSON.stringify(run, null, 2)}\n`)
    write('browser.md', markdown(run))
  }
} finally {
  await browser.close()
  await site.close()
}

function write(name: string, text: string): void {
  writeFileSync(new URL(`../results/${name}`, import.meta.url), text)
}

function versions(): Record<string, string> {
  const require = createRequire(import.meta.url)
  const names = [
    'react',
    'vue',
    'svelte',
    'swr',
    ...['react', 'vue', 'svelte'].map((name) => `@tanstack/${name}-query`),
    '@pinia/colada',
  ]
  return Object.fromEntries(names.map((name) => [name, versionOf(require.resolve.paths(name) ?? [], name)]))
}

/** Of a package that does not export its package.json either. */
function versionOf(folders: readonly string[], name: string): string {
  for (const folder of folders) {
    try {
      return JSON.parse(readFileSync(`${folder}/${name}/package.json`, 'utf8')).version
    } catch {
      // It is in another folder.
    }
  }
  throw new Error(`${name} is not installed.`)
}
