import { useDLE, useLoading } from '@roundtable/react'
import { getMe, signIn, signInProblem, signOut } from './session.js'

export function Account() {
  const { data: me, loading } = useDLE(getMe)
  const [send, isSending, failure] = useLoading((form: FormData) =>
    signIn(String(form.get('password'))),
  )
  if (loading) return <p>Loading …</p>
  if (me) {
    return (
      <p>
        {me.name} <button onClick={signOut}>Sign out</button>
      </p>
    )
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send(new FormData(event.currentTarget))
      }}
    >
      <input name="password" type="password" aria-label="Password" />
      <button disabled={isSending}>Sign in</button>
      {failure && <p role="alert">{signInProblem(failure)}</p>}
    </form>
  )
}
