import { DataProvider } from '@roundtable/react'
import { createRoot } from 'react-dom/client'
import { Chat } from './chat.js'
import { run } from './session.js'
import { SignIn } from './sign-in.js'

const root = createRoot(document.getElementById('app') as HTMLElement)

await run((session) =>
  root.render(
    session ? (
      <DataProvider key={session.user.id} controller={session.controller}>
        <Chat />
      </DataProvider>
    ) : (
      <SignIn />
    ),
  ),
)
