import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { withPlaceholders } from '../../scripts/release/addresses.mjs'

const root = join(import.meta.dirname, '../..')
const tools = join(root, 'scripts/release')
const workflows = join(root, '.github/workflows')
const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

describe.each(readdirSync(workflows))('the workflow %s', (name) => {
  test('is one that GitHub understands', () => {
    const cli = join(tools, 'node_modules/@action-validator/cli/cli.mjs')
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, join(workflows, name)], { encoding: 'utf8' })
    expect(status, stdout + stderr).toBe(0)
  })

  test('runs scripts that exist', () => {
    const { scripts } = json(join(root, 'package.json')) as { scripts: Record<string, string> }
    const text = readFileSync(join(workflows, name), 'utf8')
    const called = [...text.matchAll(/npm run (?:--\S+ )*([\w:-]+)/g)].map(([, script = '']) => script)
    expect(called.filter((script) => !Object.hasOwn(scripts, script))).toEqual([])
  })
})

describe('the next version', () => {
  const copy = mkdtempSync(join(tmpdir(), 'roundtable-version-'))
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  test('is the same for all packages and what uses them, also where a minor one is asked for', () => {
    const skipped = /\/(?:node_modules|dist|src|\.git|\.turbo|results)$/
    for (const part of [
      'package.json',
      'package-lock.json',
      'CHANGELOG.md',
      '.changeset',
      'core',
      'codemods',
      'devtools',
      'openapi',
      'compat',
      'adapters',
      'benchmarks',
      'examples',
      'test',
    ]) {
      if (readdirSync(root).includes(part)) {
        cpSync(join(root, part), join(copy, part), { recursive: true, filter: (path) => !skipped.test(path) })
      }
    }
    writeFileSync(join(copy, '.changeset/one.md'), '---\n"@roundtable/core": minor\n---\n\nA change.\n')
    const git = (...args: string[]) =>
      spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: copy })
    git('init', '-q', '-b', 'main')
    git('add', '-A')
    git('commit', '-qm', 'All')
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(tools, 'version.mjs'), copy, '2027-01-31'], {
      encoding: 'utf8',
    })
    expect(status, stdout + stderr).toBe(0)

    const { version: before } = json(join(root, 'core/package.json')) as { version: string }
    const [major = 0, minor = 0] = before.split('.').map(Number)
    const version = `${major}.${minor + 1}.0`
    for (const folder of ['core', 'openapi', 'adapters/react', 'adapters/vue', 'adapters/svelte']) {
      const manifest = json(join(copy, folder, 'package.json'))
      expect(manifest.version).toBe(version)
      if (folder !== 'core') expect(manifest.peerDependencies['@roundtable/core']).toBe(version)
    }
    expect(json(join(copy, 'codemods/package.json')).version).toBe(version)
    const lock = json(join(copy, 'test/packages/consumers/package-lock.json'))
    expect(lock.packages[''].dependencies['@roundtable/react']).toBe(version)
    expect(lock.packages['node_modules/@roundtable/react'].version).toBe(version)
    expect(readFileSync(join(copy, 'CHANGELOG.md'), 'utf8')).toContain(
      `## [Unreleased]\n\n## [${version}] - 2027-01-31\n`,
    )
    expect(readdirSync(join(copy, '.changeset')).sort()).toEqual(['README.md', 'config.json'])
  })
})

describe('the addresses of the site and of the repository', () => {
  test('have placeholders only in files that the script knows', () => {
    const { status, stdout } = spawnSync(
      'git',
      [
        'grep',
        '-lE',
        'roundtable\\.example|github\\.com/roundtable/|core/docs/errors/\\$',
        '--',
        '.',
        ':!*package-lock.json',
      ],
      { cwd: root, encoding: 'utf8' },
    )
    const known = /^scripts\/release\/addresses\.mjs$|^test\/(?:packages\/release|docs\/(?:packed|errors))\.test\.ts$/
    expect(status).toBe(0)
    expect(
      stdout
        .trim()
        .split('\n')
        .filter((file) => !known.test(file))
        .sort(),
    ).toEqual([...withPlaceholders(root)].sort())
  })

  test('are set everywhere by one command, and nothing is published before', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(tools, 'publish.mjs')], { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr).toContain('Nothing is published')

    const copy = mkdtempSync(join(tmpdir(), 'roundtable-addresses-'))
    for (const file of withPlaceholders(root)) cpSync(join(root, file), join(copy, file), { recursive: true })
    const set = [join(tools, 'addresses.mjs'), 'https://docs.mine.dev/', 'https://github.com/mine/it.git', copy]
    expect(spawnSync(process.execPath, set).status).toBe(0)
    expect(withPlaceholders(copy)).toEqual([])
    const { homepage, bugs, repository } = json(join(copy, 'core/package.json'))
    expect([homepage, bugs.url, repository.url]).toEqual([
      'https://docs.mine.dev',
      'https://github.com/mine/it/issues',
      'git+https://github.com/mine/it.git',
    ])
    expect(readFileSync(join(copy, 'core/src/util/error-page.ts'), 'utf8')).toContain(
      '` See https://docs.mine.dev/errors/$',
    )
    rmSync(copy, { recursive: true })
  })
})
