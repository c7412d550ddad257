import { Controller, Entity, LogoutManager, RestEndpoint, type Transport } from '@roundtable/core'
import { AsyncBoundary, DataProvider, useDLE, useSuspense } from '@roundtable/react'
import { type ReactNode, StrictMode, startTransition, useState } from 'react'
import { createRoot } from 'react-dom/client'

class Row extends Entity {
  static override key = 'Row'
  id = ''
}

/** What was sent, and by whom. */
const sent: string[] = []
let token: string | undefined

const transport: Transport = async (input, { headers }) => {
  const by = new Headers(headers).get('access-token') ?? 'guest'
  const id = String(input).split('/').at(-1) ?? ''
  sent.push(`${id} ${by}`)
  await new Promise((resolve) => setTimeout(resolve, 10))
  return by === 'guest' ? new Response('{}', { status: 401 }) : Response.json({ id })
}

class PrivateEndpoint extends RestEndpoint<{ path: '/rows/:id'; schema: typeof Row }> {
  override getHeaders(headers: Record<string, string>): HeadersInit {
    return token === undefined ? headers : { ...headers, 'Access-Token': token }
  }
}

const getRow = new PrivateEndpoint({ path: '/rows/:id', schema: Row })
let resets = 0
const controller = new Controller({
  transport,
  managers: [
    new LogoutManager({
      handleLogout: (own) => {
        resets++
        own.resetEntireStore()
      },
    }),
  ],
})

function Suspended({ id }: { readonly id: string }): ReactNode {
  return <li>{useSuspense(getRow, { id }).id}</li>
}

/** Gets null, as a component does that stays on the page. */
function Nullable({ user }: { readonly user: string | undefined }): ReactNode {
  const { data } = useDLE(getRow, user === undefined ? null : { id: 'nullable' })
  const other = useSuspense(getRow, user === undefined ? null : { id: 'suspended' })
  return (
    <li>
      {data?.id ?? 'none'} {other?.id ?? 'none'}
    </li>
  )
}

/** Takes longer than React renders at once in a transition. */
function Slow(): ReactNode {
  const end = performance.now() + 20
  while (performance.now() < end);
  return null
}

function Page(): ReactNode {
  const [user, setUser] = useState<string>()
  const [isSlow, setSlow] = useState(false)
  const leave = (): void => {
    token = undefined
    setUser(undefined)
  }
  const waysOut = {
    'state, then reset': () => {
      leave()
      controller.resetEntireStore()
    },
    'reset, then state': () => {
      controller.resetEntireStore()
      leave()
    },
    'after an await': async () => {
      await Promise.resolve()
      controller.resetEntireStore()
      leave()
    },
    'transition, then reset': () => {
      startTransition(leave)
      controller.resetEntireStore()
    },
    'reset, then transition': () => {
      controller.resetEntireStore()
      startTransition(leave)
    },
    'reset, then a long transition': () => {
      controller.resetEntireStore()
      startTransition(() => {
        leave()
        setSlow(true)
      })
    },
  }
  return (
    <>
      <button
        type="button"
        onClick={() => {
          token = 'ann'
          setUser('Ann')
        }}
      >
        in
      </button>
      {Object.entries(waysOut).map(([name, out]) => (
        <button type="button" key={name} onClick={out}>
          {name}
        </button>
      ))}
      <output>{user ?? 'guest'}</output>
      {isSlow && 'abcdefghij'.split('').map((name) => <Slow key={name} />)}
      <ul>
        <AsyncBoundary fallback="loading">
          <Nullable user={user} />
          {user !== undefined && ['1', '2', '3'].map((id) => <Suspended key={id} id={id} />)}
        </AsyncBoundary>
      </ul>
    </>
  )
}

Object.assign(window, { told: () => [...sent.splice(0), `${resets} resets`] })
createRoot(document.querySelector('main') as HTMLElement).render(
  <StrictMode>
    <DataProvider controller={controller}>
      <Page />
    </DataProvider>
  </StrictMode>,
)
