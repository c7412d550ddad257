// Renders the page in advance, as anybody who is not signed in sees it, and ends.
import { writeFile } from 'node:fs/promises'
import { pageOf, type Render, transportFor } from './page.js'

const [framework = 'react'] = process.argv.slice(2)
const { API_URL = 'http://127.0.0.1:4000' } = process.env
const { render } = (await import(/* @vite-ignore */ `./${framework}.js`)) as { readonly render: Render }

await writeFile(
  new URL(`../client/${framework}.html`, import.meta.url),
  await pageOf(render, transportFor(API_URL, ''), `/${framework}.js`),
)
