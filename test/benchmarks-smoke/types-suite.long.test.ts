import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const program = fileURLToPath(new URL('../../benchmarks/types/run.mjs', import.meta.url))

test('the compiler cost of the types is below its ceiling', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--quick'])
  expect(stdout).toMatch(/^200 endpoints, 40 resources: \d+ instantiations, \d+ types, \d+ ms$/m)
})
