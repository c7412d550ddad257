import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const core = join(root, 'core', 'dist')

/** The output of a script that runs in a process of its own. */
function printed(script: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return stdout.trim()
}

/** What a page that imports core alone loads. */
function codeOfCore(): string {
  return ['index.js', 'shared/core.js'].map((file) => readFileSync(join(core, file), 'utf8')).join('\n')
}

const counting = `
  let made = 0
  globalThis.Error = new Proxy(Error, { construct: (...call) => ((made += 1), Reflect.construct(...call)) })
`

describe('dist of core', () => {
  test.each(['index.js', 'hydration.js', 'testing.js', 'nanostores.js'])(
    '%s makes no error while it is evaluated: V8 would parse it twice',
    (entry) => {
      expect(printed(`${counting} await import('./core/dist/${entry}'); console.log(made)`)).toBe('0')
    },
  )

  test('the count above sees an error that is made', () => {
    expect(printed(`${counting} new Error('x'); console.log(made)`)).toBe('1')
  })

  test('needs no package, but nanostores and a parser of events for the entries of these names, and no Node but for files: a page without a bundler can load it', () => {
    const scripts = readdirSync(core, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.js') && !['nanostores.js', 'sse.js', 'offline-file.js'].includes(file),
    )
    const imported = scripts.flatMap((file) =>
      [...readFileSync(join(core, file), 'utf8').matchAll(/^(?:import|export) [^'"\n]*from ["']([^'"]+)["']/gm)].map(
        ([, specifier = '']) => specifier,
      ),
    )
    expect(new Set(imported.filter((specifier) => !specifier.startsWith('.')))).toEqual(new Set())
    expect(codeOfCore()).toContain('path-to-regexp (MIT)')
  })

  test('contains the parser of path-to-regexp, and nothing else of it', () => {
    const code = codeOfCore()
    expect(code).toMatch(/function parse\(/)
    expect(code).not.toMatch(/function (?:stringify|pathToRegexp)\(|PathError|TokenData/)
  })

  test('is one module for each entry point, what they share, and what is loaded when it is needed', () => {
    const shared = readdirSync(join(core, 'shared')).filter((file) => file.endsWith('.js'))
    expect(shared.sort()).toEqual(['core.js', 'refresh.js', 'sweep.js'])
  })
})
