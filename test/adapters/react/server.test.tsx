// @vitest-environment node
import { Writable } from 'node:stream'
import { renderToPipeableStream } from 'react-dom/server'
import { serverContract, textOf } from '../server-contract.js'
import { pageOf } from './harness.js'

serverContract({
  name: 'React',
  noise: [],
  render: (controller, views) =>
    new Promise((resolve, reject) => {
      let html = ''
      const sink = new Writable({
        write(chunk, _, done) {
          html += String(chunk)
          done()
        },
        final(done) {
          resolve(textOf(html))
          done()
        },
      })
      const { pipe } = renderToPipeableStream(pageOf(controller, views), {
        onAllReady: () => pipe(sink),
        onError: reject,
      })
    }),
})
