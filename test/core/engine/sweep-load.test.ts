import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { browserEnv, type Env } from '@roundtable/core'
import { build } from 'esbuild'
import { expect, onTestFinished, test, vi } from 'vitest'
import type * as Core from '../../../core/src/index.js'
import { HANGS } from '../../hangs.js'

const AFTER = 1_000

test('a sweep whose code does not load, as without a network, comes when it is due the next time', async () => {
  const { core, sweepFile } = await built()
  const time = handTime()
  const controller = new core.Controller({ env: time.env, retention: { after: AFTER } })
  class Todo extends core.Entity {
    static override key = 'Todo'
    id = 0
  }
  controller.set(Todo, { id: 1 }, { id: 1 })
  renameSync(sweepFile, `${sweepFile}.away`)
  time.pass(AFTER)
  await vi.waitFor(() => expect(time.timers.size).toBe(1), HANGS)
  expect(controller.get(Todo, { id: 1 })).toBeDefined()
  renameSync(`${sweepFile}.away`, sweepFile)
  time.pass(AFTER)
  await vi.waitFor(() => expect(controller.get(Todo, { id: 1 })).toBeUndefined(), HANGS)
  controller.dispose()
})

/** Core as a bundler builds it that makes a file of what is imported later. */
async function built(): Promise<{ core: typeof Core; sweepFile: string }> {
  const outdir = mkdtempSync(join(tmpdir(), 'sweep-'))
  onTestFinished(() => rmSync(outdir, { recursive: true }))
  const index = fileURLToPath(new URL('../../../core/src/index.ts', import.meta.url))
  await build({
    entryPoints: [index],
    bundle: true,
    splitting: true,
    format: 'esm',
    outdir,
    outExtension: { '.js': '.mjs' },
  })
  const core: typeof Core = await import(pathToFileURL(join(outdir, 'index.mjs')).href)
  const [file = ''] = readdirSync(outdir).filter((name) => name.startsWith('sweep-'))
  return { core, sweepFile: join(outdir, file) }
}

/** Timers that fire when the test says so. */
function handTime(): { env: Env; timers: Map<object, () => void>; pass(ms: number): void } {
  let now = 0
  const timers = new Map<object, () => void>()
  const env: Env = {
    ...browserEnv(),
    now: () => now,
    mono: () => now,
    setTimeout(run) {
      const timer = {}
      timers.set(timer, run)
      return timer
    },
    clearTimeout: (timer) => timers.delete(timer as object),
  }
  const pass = (ms: number): void => {
    now += ms
    const due = [...timers.values()]
    timers.clear()
    for (const run of due) run()
  }
  return { env, timers, pass }
}
