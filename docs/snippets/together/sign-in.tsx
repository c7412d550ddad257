import { useState } from 'react'
import { signIn } from './session.js'

export function SignIn() {
  const [hasFailed, setFailed] = useState(false)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        signIn(
          String(form.get('name')),
          String(form.get('password')),
        ).catch(() => setFailed(true))
      }}
    >
      <input name="name" aria-label="Name" />
      <input name="password" type="password" aria-label="Password" />
      <button>Sign in</button>
      {hasFailed && <p role="alert">That did not work.</p>}
    </form>
  )
}
