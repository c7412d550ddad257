import { flushSync, mount, unmount } from 'svelte'
import { expect, test, vi } from 'vitest'
import { openBoard } from '../../core/engine/todo-board.js'
import { breathe } from '../harness.js'
import Destructured from './destructured.svelte'

test('a destructured useDLE warns once, and one that is kept does not', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { controller, getPlain, server } = openBoard()
  const target = document.createElement('main')
  const page = mount(Destructured, { target, props: { controller, read: getPlain } })
  flushSync()
  await breathe()
  await server.one('getPlain').answer('now')
  await breathe()
  expect(target.textContent).toContain('now nothing true')
  expect(warn).toHaveBeenCalledTimes(1)
  expect(String(warn.mock.calls[0])).toContain('const { data } = useDLE(…)')
  await unmount(page)
  warn.mockRestore()
})
