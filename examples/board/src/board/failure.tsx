import { type ReactNode, useEffect, useState } from 'react'
import { headlineOf, reasonOf } from '../app/reason.js'
import { $retries, tryAgain } from '../app/retries.js'
import { Icon } from './icon.js'

/** Shown in place of data that could not be loaded: the reason, and a way to try again. */
export function Failure({ error, retry }: { readonly error: Error; readonly retry: () => void }): ReactNode {
  const [reason, setReason] = useState('')
  useEffect(() => {
    let isShown = true
    void reasonOf(error).then((text) => isShown && setReason(text))
    return () => {
      isShown = false
    }
  }, [error])

  useEffect(() => $retries.listen(retry), [retry])

  return (
    <div className="state is-failed" role="alert">
      <Icon name="failed" />
      <strong>{headlineOf(error)}</strong>
      <p>{reason}</p>
      <button type="button" className="button" onClick={tryAgain}>
        Try again
      </button>
    </div>
  )
}
