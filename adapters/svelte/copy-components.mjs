// Components are compiled where they are used, by the user's Svelte: they go into the package as they are.
import { cpSync } from 'node:fs'

cpSync('src', 'dist', { recursive: true, filter: (path) => !path.includes('.') || path.endsWith('.svelte') })
