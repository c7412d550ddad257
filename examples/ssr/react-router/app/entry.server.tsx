import { randomUUID } from 'node:crypto'
import { isbot } from 'isbot'
import { renderToReadableStream } from 'react-dom/server'
import { type EntryContext, ServerRouter } from 'react-router'
import { NonceContext } from './nonce'

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
): Promise<Response> {
  const nonce = randomUUID()
  const page = await renderToReadableStream(
    <NonceContext value={nonce}>
      <ServerRouter context={context} url={request.url} nonce={nonce} />
    </NonceContext>,
    { nonce },
  )
  // Clients that run no scripts get the page in one piece.
  if (isbot(request.headers.get('user-agent'))) await page.allReady
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set('content-security-policy', `default-src 'self'; img-src 'self' data:; script-src 'self' 'nonce-${nonce}'`)
  return new Response(page, { status, headers })
}
