// A policy without unsafe-inline: Nuxt's own scripts have a nonce, scripts in components do not.

export default defineNitroPlugin((nitro) => {
  nitro.hooks.hook('render:html', (html, { event }) => {
    const nonce = crypto.randomUUID()
    const withNonce = (part: string) => part.replace(/<script(?=[\s>])/g, `<script nonce="${nonce}"`)
    html.head = html.head.map(withNonce)
    html.bodyAppend = html.bodyAppend.map(withNonce)
    setResponseHeader(event, 'content-security-policy', `default-src 'self'; script-src 'self' 'nonce-${nonce}'`)
  })
})
