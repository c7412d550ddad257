// Renders the page in advance, as anybody who is not signed in sees it, and ends.
import { writeFile } from 'node:fs/promises'
import { type Render, transportFor } from './page.js'

const [framework = 'react'] = process.argv.slice(2)
const { API_URL = 'http://127.0.0.1:4000' } = process.env
const { render } = (await import(/* @vite-ignore */ `./${framework}.js`)) as { readonly render: Render }

const page = await render({
  transport: transportFor(API_URL, ''),
  nonce: '',
  script: `/${framework}.js`,
  isWhole: true,
})
await writeFile(new URL(`../client/${framework}.html`, import.meta.url), await new Response(page).text())
