import { Controller, LogoutManager, revalidate } from '@roundtable/core'
import {
  indexedDbLog,
  type OfflineStore,
  offline,
  outbox,
} from '@roundtable/core/offline'
import { auth, login, MessageResource, type User } from './api.js'

export interface Session {
  readonly user: User
  readonly controller: Controller
  readonly store: OfflineStore
}

/** Where the signed-in user is stored, for the next start and for other tabs. */
const KEY = 'chat:user'
/** Stored there after a sign-out that deletes, so that other tabs delete too. */
const DELETED = 'deleted'

let current: Session | undefined
/** Settles when the last session has written its end, which the next one must not read later. */
let ended: Promise<unknown> = Promise.resolve()
let show: (session: Session | undefined) => void

/** Starts the application: `page` draws a session, or the form to sign in. */
export async function run(page: typeof show): Promise<void> {
  show = page
  // Another tab has signed in or out.
  addEventListener('storage', ({ key }) => {
    if (key !== KEY) return
    end()
    void start()
  })
  await start()
}

async function start(): Promise<void> {
  await ended
  if (current !== undefined) return
  const stored = localStorage.getItem(KEY)
  if (stored === null || stored === DELETED) return show(undefined)
  const user: User = JSON.parse(stored)
  auth.token = user.token
  const store = offline({
    log: indexedDbLog(`chat:${user.id}`),
    version: '1',
    outbox: outbox({ MessageResource }),
  })
  const logout = new LogoutManager({ handleLogout: () => void signOut() })
  const controller = new Controller({
    managers: [store, revalidate(), logout],
  })
  const session = { user, controller, store }
  current = session
  await store.ready
  // The server may have ended it meanwhile.
  if (current === session) show(session)
}

/** Rejects with a NetworkError if the password is wrong. */
export async function signIn(name: string, password: string) {
  const user = await login({ name, password })
  localStorage.setItem(KEY, JSON.stringify(user))
  await start()
}

/** Unsent changes wait for the user's next session, unless `forget`. */
export async function signOut(forget = false): Promise<void> {
  if (forget) localStorage.setItem(KEY, DELETED)
  else localStorage.removeItem(KEY)
  current?.controller.resetEntireStore() // deletes rows, also on disk
  end()
  await ended
}

function end(): void {
  if (current === undefined) return
  const { controller, store } = current
  current = undefined
  auth.token = ''
  show(undefined)
  controller.dispose() // ends requests, streams and timers
  const forget = localStorage.getItem(KEY) === DELETED
  ended = forget ? store.forget() : store.flush()
}
