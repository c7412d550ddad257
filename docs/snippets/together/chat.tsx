import { useController, useDLE, useSubscription } from '@roundtable/react'
import { useOutbox } from '@roundtable/react/offline'
import { getMessages, MessageResource } from './api.js'
import { signOut } from './session.js'

export function Chat() {
  const controller = useController()
  const { data: messages } = useDLE(getMessages)
  useSubscription(getMessages)
  const waiting = useOutbox()
  const send = (form: FormData) =>
    controller
      .fetch(MessageResource.create, { text: String(form.get('text')) })
      .catch(() => {}) // the outbox shows what was refused
  return (
    <>
      <ul>
        {messages?.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void send(new FormData(event.currentTarget))
          event.currentTarget.reset()
        }}
      >
        <input name="text" aria-label="Message" />
        <button>Send</button>
      </form>
      <p>Not sent yet: {waiting.length}</p>
      <button onClick={() => signOut()}>Sign out</button>
      <button onClick={() => signOut(true)}>Sign out and delete</button>
    </>
  )
}
