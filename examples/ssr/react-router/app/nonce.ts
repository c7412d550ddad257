import { createContext } from 'react'

/** The nonce of the page's policy, for the scripts of React Router; undefined in the browser. */
export const NonceContext = createContext<string | undefined>(undefined)
