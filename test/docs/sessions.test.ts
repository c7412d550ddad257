import { NetworkError, RestEndpoint } from '@roundtable/core'
import { type Context, createElement, type FunctionComponent } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import * as session from '../../docs/snippets/login-with-profile/session.js'
import { ProfileResource } from '../../docs/snippets/sessions/async-function.js'
import { TokenContext as InitContext, ProfileHooks } from '../../docs/snippets/sessions/context-init.js'
import { TokenContext as MemberContext, useProfileEndpoint } from '../../docs/snippets/sessions/context-member.js'
import * as cookies from '../../docs/snippets/sessions/cookie-session.js'
import * as singleton from '../../docs/snippets/sessions/function-singleton.js'
import { controller } from '../../docs/snippets/sessions/logout.js'
import { controllerFor } from '../../docs/snippets/sessions/render.js'
import { controller as choosy } from '../../docs/snippets/sessions/should-logout.js'
import * as staticMember from '../../docs/snippets/sessions/static-member.js'
import { fetchWithCookies } from '../server/cookie-jar.js'
import { withServer } from '../spec/with-server.js'

const server = withServer()

afterEach(() => vi.unstubAllGlobals())

/** What a hook gives where a context has this value. */
function inContext<T>(context: Context<string>, value: string, hook: () => T): T {
  const results: T[] = []
  const Reader: FunctionComponent = () => {
    results.push(hook())
    return null
  }
  renderToStaticMarkup(createElement(context, { value }, createElement(Reader)))
  // The component was rendered once.
  return results[0] as T
}

describe('Authentication', () => {
  test("cookie session: getRequestInit returns the parent's options plus credentials: 'same-origin'; the request then carries the cookie", async () => {
    expect(await cookies.getProfile.getRequestInit()).toMatchObject({ method: 'GET', credentials: 'same-origin' })
    vi.stubGlobal('fetch', fetchWithCookies(server.url))
    const getProfile = cookies.getProfile.extend({ urlPrefix: server.url })
    await expect(getProfile()).rejects.toMatchObject({ status: 401 })
    await cookies.login.extend({ urlPrefix: server.url })({ password: 'secret' })
    expect(await getProfile()).toEqual({ name: 'Ann' })
    expect(server.last().headers.cookie).toBe('session=s3ss10n')
  })

  test('access token header from a static member; when no token exists the headers are returned unchanged', async () => {
    const getProfile = staticMember.getProfile.extend({ urlPrefix: server.url })
    await expect(getProfile()).rejects.toBeInstanceOf(NetworkError)
    expect(server.last().headers).not.toHaveProperty('access-token')
    staticMember.signIn('t0k3n')
    expect(await getProfile()).toEqual({ name: 'Ann' })
    expect(server.last().headers['access-token']).toBe('t0k3n')
  })

  test('access token header from a function singleton', async () => {
    singleton.auth.token = 't0k3n'
    expect(await singleton.getProfile.extend({ urlPrefix: server.url })()).toEqual({ name: 'Ann' })
  })

  test('access token header from an async function; a shared base class defines the mechanism for many resources', async () => {
    const profiles = ProfileResource.extend({ get: { urlPrefix: server.url }, getList: { urlPrefix: server.url } })
    expect(await profiles.get({ id: 5 })).toEqual({ name: 'Ann' })
    expect(await profiles.getList()).toEqual({ name: 'Ann' })
    expect(await profiles.getList.push({ name: 'Bob' })).toEqual({ name: 'Ann' })
  })

  test('token from application context: hookifyResource(resource, useInit), where useInit returns RequestInit with headers', async () => {
    const get = inContext(InitContext, 't0k3n', () => ProfileHooks.useGet())
    expect(await get.extend({ urlPrefix: server.url })({ id: 5 })).toEqual({ name: 'Ann' })
    const stranger = inContext(InitContext, 'none', () => ProfileHooks.useGet())
    await expect(stranger.extend({ urlPrefix: server.url })({ id: 5 })).rejects.toMatchObject({ status: 401 })
  })

  test('token from application context: extend an endpoint with an accessToken member', async () => {
    const get = inContext(MemberContext, 't0k3n', useProfileEndpoint)
    expect(await get.extend({ urlPrefix: server.url })()).toEqual({ name: 'Ann' })
  })

  test('3. expired authorization: the server answers 401; LogoutManager triggers the cleanup', async () => {
    staticMember.signIn('expired')
    const getProfile = staticMember.getProfile.extend({ urlPrefix: server.url })
    await expect(controller.fetch(getProfile)).rejects.toMatchObject({ status: 401 })
    expect(staticMember.TokenEndpoint.accessToken).toBeUndefined()
    controller.dispose()
  })

  test('shouldLogout gets the request, so that a wrong password need not end a session', async () => {
    let resets = 0
    choosy.on('reset', () => resets++)
    const login = new RestEndpoint({ urlPrefix: server.url, path: '/login', method: 'POST', body: {} as object })
    await expect(choosy.fetch(login, { password: 'wrong' })).rejects.toMatchObject({ status: 401 })
    expect(resets).toBe(0)
    const getPrivate = new RestEndpoint({ urlPrefix: server.url, path: '/private' })
    await expect(choosy.fetch(getPrivate)).rejects.toMatchObject({ status: 401 })
    expect(resets).toBe(1)
    choosy.dispose()
  })

  test('a transport gives each controller of a server the cookies of its own user', async () => {
    const { fetch } = globalThis
    vi.stubGlobal('fetch', (input: URL, init?: RequestInit) => fetch(new URL(input.pathname, server.url), init))
    const getProfile = new RestEndpoint({ path: '/session' })
    const of = (cookie: string) =>
      controllerFor(new Request('https://app.test', { headers: { cookie } })).fetch(getProfile)
    expect(await of('session=s3ss10n')).toEqual({ name: 'Ann' })
    await expect(of('session=none')).rejects.toMatchObject({ status: 401 })
  })

  test('a whole login: the profile that was refused appears after signing in, and goes after signing out', async () => {
    const { fetch } = globalThis
    vi.stubGlobal('fetch', (input: string, init?: RequestInit) =>
      fetch(input.replace('https://api.test', server.url), init),
    )
    const me = session.controller.watch(session.getMe)
    const stop = me.subscribe(() => {})
    await expect.poll(() => me.getSnapshot()).toMatchObject({ status: 'failed', error: { status: 401 } })

    await expect(session.signIn('wrong')).rejects.toMatchObject({ status: 401 })
    expect(me.getSnapshot().status).toBe('failed')
    await session.signIn('secret')
    await expect.poll(() => me.getSnapshot()).toMatchObject({ status: 'ready', data: { name: 'Ann' } })

    session.signOut()
    await expect.poll(() => me.getSnapshot()).toMatchObject({ status: 'failed', error: { status: 401 } })
    stop()
    session.controller.dispose()
  })
})
