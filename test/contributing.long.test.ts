import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commands } from './contributing.js'

const cwd = join(import.meta.dirname, '..')

// Without the variables by which Vitest tells its workers what they are.
const { PATH, HOME, TMPDIR } = process.env
const run = (command: string) => spawnSync(command, { cwd, shell: true, encoding: 'utf8', env: { PATH, HOME, TMPDIR } })

/** Those that run one file, or a few, once: .ci/run runs the others, and everything of test/projects/long.ts. */
const single = commands.filter((command) => /npx vitest run -c (?!\S*long\.ts)\S+ test\/\S+(?: -t \S+)?$/.test(command))

test('there is one for each framework', () => {
  for (const config of ['unit', 'react', 'vue', 'svelte']) {
    expect(single).toContainEqual(expect.stringContaining(`-c test/projects/${config}.ts `))
  }
})

test.each(single)('%s runs tests, and they pass', (command) => {
  const { status, stdout, stderr } = run(command)
  expect(status, stdout + stderr).toBe(0)
  expect(stdout).toMatch(/Tests .*\d+ passed/)
})

test('a filter that matches no file fails', () => {
  expect(run('npx vitest run -c test/projects/unit.ts test/core/no-such-file.test.ts').status).toBe(1)
  expect(run('npx vitest run test/core/no-such-file.test.ts').status).toBe(1)
})
