import { get } from 'node:https'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { takeRefused } from './no-network.js'

test('a test reaches its own machine, and no other: not by fetch, not by https, not by an address', async () => {
  await expect(fetch('http://example.com')).rejects.toThrow('fetch failed')
  await expect(fetch('https://192.0.2.1')).rejects.toThrow('fetch failed')
  const failed = new Promise<Error>((resolve) => get('https://example.com/a').on('error', resolve))
  expect((await failed).message).toBe('A test may not reach example.com: give it a server of its own.')
  expect(takeRefused()).toEqual(['example.com', '192.0.2.1', 'example.com'])
  const server = createServer((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { readonly port: number }
  expect((await fetch(`http://localhost:${port}`)).status).toBe(204)
  server.close()
  expect(takeRefused()).toEqual([])
})
