import { indexedDbLog } from '@roundtable/core/offline'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterEach, expect, test, vi } from 'vitest'
import type { Session } from '../../docs/snippets/together/session.js'
import { HANGS } from '../hangs.js'
import { type ChatApi, chatService } from './chat-service.js'
import { openPage } from './run-page.js'

type Api = typeof import('../../docs/snippets/together/api.js')
type SessionModule = typeof import('../../docs/snippets/together/session.js')

const pages: ReturnType<typeof openPage>[] = []

afterEach(() => {
  for (const page of pages.splice(0)) page.close()
  vi.unstubAllGlobals()
})

/** The guide's modules, as one tab loads them. */
async function openTab() {
  const page = openPage('docs/guides/together.md')
  pages.push(page)
  const api = await page.load<Api>('api.ts')
  const module = await page.load<SessionModule>('session.ts')
  const events = new EventTarget()
  let session: Session | undefined
  return {
    chatApi: await page.load<ChatApi>('api.ts'),
    ...module,
    async start() {
      vi.stubGlobal('addEventListener', events.addEventListener.bind(events))
      await module.run((shown) => {
        session = shown
        // A component of the page reads as long as the session is shown.
        session?.controller.watch(api.getMessages).subscribe(() => {})
      })
    },
    refetch: () => session?.controller.fetch(api.getMessages),
    send: (text: string) => void session?.controller.fetch(api.MessageResource.create, { text }).catch(() => {}),
    waiting: () => session?.store.outbox.getSnapshot().map(({ status }) => status),
    messages: () => session?.controller.watch(api.getMessages).getSnapshot().data as readonly unknown[] | undefined,
    /** It hears that another tab has changed the stored user. */
    hear: () => events.dispatchEvent(Object.assign(new Event('storage'), { key: 'chat:user' })),
  }
}

/** Two tabs of a signed-in user. */
async function openTwoTabs() {
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('IDBKeyRange', IDBKeyRange)
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  const [tab, other] = [await openTab(), await openTab()]
  const server = chatService(tab.chatApi)
  vi.stubGlobal('fetch', server.fetch)
  await tab.start()
  await tab.signIn('Ann', 'secret')
  await other.start()
  for (const { messages } of [tab, other])
    await vi.waitFor(() => expect(messages()).toMatchObject([{ text: 'Hi Ann' }]), { timeout: HANGS })
  return { tab, other, server, readLog: () => indexedDbLog('chat:3').read(0) }
}

test('a sign-out that deletes leaves nothing on the device, although another tab has stored rows since', async () => {
  const { tab, other, server, readLog } = await openTwoTabs()
  await tab.signOut(true)
  expect(tab.messages()).toBeUndefined()
  // The other tab is told late, and stores what it fetches until then.
  server.chat('Ann').put('Message', { id: 2, text: 'News' })
  const storesAgain = async (): Promise<void> => {
    await other.refetch()
    expect(await readLog()).not.toEqual([])
  }
  await vi.waitFor(storesAgain, { timeout: HANGS })
  other.hear()
  expect(other.messages()).toBeUndefined()
  // Resolves when its session has written its end.
  await other.signOut()
  expect(await readLog()).toEqual([])
})

test('a tab that hears late of a sign-out that deleted leaves the next session of the user alone', async () => {
  const { tab, other, server, readLog } = await openTwoTabs()
  await tab.signOut(true)
  await tab.signIn('Ann', 'secret')
  server.isDown = true
  tab.send('Unsent')
  await vi.waitFor(() => expect(tab.waiting()).toEqual(['waiting']), { timeout: HANGS })
  other.hear()
  await vi.waitFor(() => expect(other.waiting()).toEqual(['waiting']), { timeout: HANGS })
  expect(tab.waiting()).toEqual(['waiting'])
  expect(JSON.stringify(await readLog())).toContain('Unsent')
  await tab.signOut(true)
  other.hear()
  await other.signOut()
  expect(await readLog()).toEqual([])
})
