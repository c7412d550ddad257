import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as core from '@roundtable/core'
import { expect, test } from 'vitest'
import { sitePages } from '../../docs/.vitepress/written/pages.js'
import { placeholders } from '../../scripts/release/addresses.mjs'

const root = join(import.meta.dirname, '../..')

test('there is a page for each code of an error and no other, and the list of codes has them all', () => {
  const src = join(root, 'core/src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const text = files.map((file) => readFileSync(join(src, file), 'utf8')).join('\n')
  const codes = [...text.matchAll(/\bcode: string = '(\w+)'/g)].map(([, code = '']) => code)
  expect(codes).toContain('URL_PARAM')
  const shown = sitePages.flatMap((page) => /^errors\/([A-Z_]+)\.md$/.exec(page)?.[1] ?? [])
  expect([...shown].sort()).toEqual([...codes].sort())
  const list = readFileSync(join(root, 'docs/errors/index.md'), 'utf8')
  expect(codes.filter((code) => !list.includes(`[${code}](${code}.md)`))).toEqual([])
})

test('in development every message ends with where its page is: in the package, or on the site once there is one', () => {
  const { homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly homepage: string }
  const pageOf = (code: string) =>
    homepage === placeholders[0] ? `node_modules/@roundtable/core/docs/errors/${code}.md` : `${homepage}/errors/${code}`
  const errors = [
    new core.TransportError('https://api.test', 'GET'),
    new core.TimeoutError('GET https://api.test', 5),
    new core.ResponseParseError('https://api.test', 200, 'text/html', ''),
    new core.SchemaError('$', 'an object', 'an array'),
    new core.MissingPkError('Todo', '$'),
    new core.UrlParamError('getTodo', '/todos/:id', 'id', 'is missing'),
    new core.UrlParamError('getTodo', '/todos/:id', 'id', 'is a function'),
    new core.UrlOriginError('getTodo', 'https://api.test', 'https://evil.test'),
    new core.KeyArgError('$', 'is a function'),
    new core.OptionError('path', 'is missing.'),
    new core.DepthError(5),
    new core.CallbackError('belongs', 'todos'),
    new core.CreationError('PATCH /todos/optimistic:2', 'optimistic:2', 'POST /todos'),
    new core.DeletedError('GET https://api.test'),
    new core.ResetError('GET https://api.test'),
    new core.DisposedError('fetch'),
    new core.HydrationError('is damaged'),
    new core.NetworkError(new Response(null, { status: 404 })),
  ]
  const wrong = errors.filter(({ message, code }) => !message.endsWith(`. See ${pageOf(code)}`))
  expect(wrong.map(({ message }) => message)).toEqual([])
})
