import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from './contributing.js'

const root = join(import.meta.dirname, '..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

test('CONTRIBUTING.md has the commands that it had to have', () => {
  expect(commands.length).toBeGreaterThan(20)
})

test.each(commands)('%s: the script, the configuration and the program are there', (command) => {
  const [, script] = /^npm (?:run )?(\S+)/.exec(command) ?? []
  if (script !== undefined && !['ci', 'install', 'login', 'pack'].includes(script)) {
    const [, folder] = /-w (\S+)/.exec(command) ?? []
    const own = folder ? JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).scripts : scripts
    expect(Object.keys(own)).toContain(script)
  }
  for (const [path] of command.matchAll(/(?<=^node |-c |^)[\w./-]*\/[\w./-]+/g)) {
    expect(path).toSatisfy((file: string) => existsSync(join(root, file)))
  }
})
