// Copies the components into the package unchanged, since the user's Svelte compiles them.
import { cpSync } from 'node:fs'

cpSync('src', 'dist', { recursive: true, filter: (path) => !path.includes('.') || path.endsWith('.svelte') })
