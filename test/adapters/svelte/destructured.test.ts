import { flushSync, mount, unmount } from 'svelte'
import { expect, test, vi } from 'vitest'
import { openBoard } from '../../core/engine/todo-board.js'
import { breathe } from '../harness.js'
import Destructured from './destructured.svelte'
import Unread from './unread.svelte'

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

test('a useDLE or usePages that is never read warns once, when its component leaves', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { controller, getPlain } = openBoard()
  const target = document.createElement('main')
  for (const [isUnread, times] of [
    [false, 0],
    [true, 1],
    [true, 1],
  ] as const) {
    const page = mount(Unread, { target, props: { controller, read: getPlain, isUnread } })
    flushSync()
    target.querySelector('button')?.click()
    await breathe()
    await unmount(page)
    expect(warn).toHaveBeenCalledTimes(times)
  }
  expect(String(warn.mock.calls[0])).toContain('useDLE or usePages')
  warn.mockRestore()
})
