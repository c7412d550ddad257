import { flushSync, mount, unmount } from 'svelte'
import { breathe, domScreen, type Harness, type Now } from '../harness.js'
import { type Handle, handleOf } from './handle.svelte.js'
import Page from './page.svelte'

/** Readers in Svelte. */
export const svelte: Harness = {
  name: 'Svelte',
  keepsLast: true,
  mountsPending: true,
  noise: [],
  async open(controller, views) {
    const handles = views.map(({ args }) => handleOf(args))
    const root = document.body.appendChild(document.createElement('main'))
    const page = mount(Page, { target: root, props: { controller, views, handles } })
    flushSync()
    await breathe()
    const now: Now = {
      change: (index, args) => change(handles[index], { args }),
      close: (index) => change(handles[index], { isOpen: false }),
    }
    const acted = async (work: (now: Now) => unknown): Promise<void> => {
      await work(now)
      await breathe()
    }
    const screen = domScreen(root)
    let isOver = false
    return {
      texts: screen.texts,
      renders: (index) => handles[index]?.renders ?? 0,
      change: (index, args) => acted(() => now.change(index, args)),
      close: (index) => acted(() => now.close(index)),
      end: () =>
        acted(async () => {
          if (!isOver) await unmount(page)
          isOver = true
          root.remove()
        }),
      press: (index) => acted(() => screen.press(index)),
      act: acted,
    }
  },
}

function change(handle: Handle | undefined, to: Partial<Handle>): void {
  if (handle !== undefined) Object.assign(handle, to)
}
