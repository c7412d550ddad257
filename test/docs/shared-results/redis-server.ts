import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'

/**
 * As much of Redis, over its own protocol, as the recipe needs. It keeps keys with their ends, by a clock that a test
 * moves on.
 */
export class RedisServer {
  readonly keys = new Map<string, { readonly value: string; readonly end: number }>()
  /** So many ms have passed. */
  passed = 0
  readonly #sockets = new Set<Socket>()
  readonly #server: Server = createServer((socket) => {
    this.#sockets.add(socket)
    let received = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      for (let read = parse(received); read !== undefined; read = parse(received)) {
        received = received.subarray(read.length)
        socket.write(this.#run(read.words))
      }
    })
  })

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `redis://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #get(key: string): string | undefined {
    const found = this.keys.get(key)
    return found === undefined || found.end <= Date.now() + this.passed ? undefined : found.value
  }

  #run([command = '', key = '', value = '', ...options]: readonly string[]): string {
    switch (command.toLowerCase()) {
      case 'info':
        return bulk('loading:0')
      case 'get':
        return bulk(this.#get(key))
      case 'set': {
        if (options.includes('NX') && this.#get(key) !== undefined) return bulk(undefined)
        const seconds = options.indexOf('EX')
        const at = seconds >= 0 ? seconds : options.indexOf('PX')
        const lifetime = at < 0 ? Infinity : Number(options[at + 1]) * (seconds >= 0 ? 1_000 : 1)
        this.keys.set(key, { value, end: Date.now() + this.passed + lifetime })
        return '+OK\r\n'
      }
      case 'eval': {
        // The only script of the recipe: it deletes a key that has a value.
        const [name = '', expected] = options
        return `:${this.#get(name) === expected && this.keys.delete(name) ? 1 : 0}\r\n`
      }
      default:
        return command.toLowerCase() === 'client' ? '+OK\r\n' : `-ERR unknown command '${command}'\r\n`
    }
  }
}

function bulk(text: string | undefined): string {
  return text === undefined ? '$-1\r\n' : `$${Buffer.byteLength(text)}\r\n${text}\r\n`
}

/** A command at the start of what was received; undefined if it is not whole. */
function parse(received: Buffer): { readonly words: readonly string[]; readonly length: number } | undefined {
  let at = 0
  const line = (): string | undefined => {
    const end = received.indexOf('\r\n', at)
    if (end < 0) return undefined
    const text = received.toString('utf8', at, end)
    at = end + 2
    return text
  }
  const count = line()
  if (count === undefined) return undefined
  const words: string[] = []
  for (let i = 0; i < Number(count.slice(1)); i++) {
    const size = line()
    if (size === undefined) return undefined
    const end = at + Number(size.slice(1))
    if (received.length < end + 2) return undefined
    words.push(received.toString('utf8', at, end))
    at = end + 2
  }
  return { words, length: at }
}
