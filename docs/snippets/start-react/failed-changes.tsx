import { useController } from '@roundtable/react'
import { useEffect, useState } from 'react'
import { errorText } from './error-text.js'

export function FailedChanges() {
  const controller = useController()
  const [message, setMessage] = useState('')
  useEffect(
    () =>
      controller.on('error', ({ error, request }) => {
        if (request?.endpoint.sideEffect) setMessage(errorText(error))
      }),
    [controller],
  )
  if (message === '') return null
  return (
    <p role="alert">
      {message} <button onClick={() => setMessage('')}>Close</button>
    </p>
  )
}
