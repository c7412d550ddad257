import * as react from '@data-client/react'

/** True where the application runs on ours. */
export const isOurs = 'NotCarriedError' in react
