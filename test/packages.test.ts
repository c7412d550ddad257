import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

interface Package {
  readonly main?: string
  readonly types?: string
  readonly exports: { readonly '.': { readonly default: string; readonly types: string } }
}

test.each(['core', 'adapters/react', 'adapters/vue', 'adapters/svelte'])(
  '%s is found too by resolvers that do not know exports, such as those of an old Metro',
  (folder) => {
    const file = fileURLToPath(new URL(`../${folder}/package.json`, import.meta.url))
    const { main, types, exports } = JSON.parse(readFileSync(file, 'utf8')) as Package
    expect({ main, types }).toEqual({ main: exports['.'].default, types: exports['.'].types })
  },
)
