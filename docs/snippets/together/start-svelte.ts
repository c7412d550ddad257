import { mount, unmount } from 'svelte'
import Chat from './chat.svelte'
import { run } from './session.js'
import SignIn from './sign-in.svelte'

const target = document.getElementById('app') as HTMLElement
let shown: Record<string, unknown> | undefined

await run((session) => {
  if (shown) void unmount(shown)
  shown = session
    ? mount(Chat, { target, props: { controller: session.controller } })
    : mount(SignIn, { target })
})
