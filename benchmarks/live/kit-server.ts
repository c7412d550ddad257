import { mkdtempSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer, type ViteDevServer } from 'vite'
import type { Item, TestServer } from './server.js'

const root = fileURLToPath(new URL('./kit/', import.meta.url))
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The application in `kit`, as the development server of SvelteKit serves it, on items of this process. */
export class KitServer implements TestServer {
  readonly items = new Map<number, Item>()
  listTakes = 0
  changeTakes = 0
  lists = 0
  readonly isStreaming = true
  readonly #waiting = new Set<() => void>()
  readonly #sockets = new Set<Socket>()
  readonly #outDir = mkdtempSync(join(tmpdir(), 'roundtable-bench-kit-'))
  /** How often something has changed. */
  #version = 0
  #isCut = false
  #vite: ViteDevServer | undefined = undefined

  constructor() {
    for (let id = 1; id <= 100; id++) this.items.set(id, { id, title: `item ${id}`, done: false })
  }

  async listen(): Promise<string> {
    const listTaken = (): Promise<void> => {
      this.lists += 1
      // Only the first answer is slow.
      return this.lists > 1 ? Promise.resolve() : pause(this.listTakes)
    }
    const version = (): number => this.#version
    const after = (seen: number): Promise<void> =>
      new Promise((resolve) => (seen < this.#version ? resolve() : this.#waiting.add(resolve)))
    const save = async (id: number, fields: Partial<Item>): Promise<void> => {
      await pause(this.changeTakes)
      this.change({ ...fields, id })
      await pause(100)
    }
    Object.assign(globalThis, { liveItems: { items: this.items, version, listTaken, after, save } })
    process.env.KIT_OUT_DIR = this.#outDir
    // SvelteKit looks for its configuration in the folder that is the current one when it is loaded.
    process.chdir(root)
    const { sveltekit } = await import('@sveltejs/kit/vite')
    const vite = await createServer({
      configFile: false,
      logLevel: 'error',
      cacheDir: join(this.#outDir, 'vite'),
      plugins: [await sveltekit()],
      server: { port: 0, fs: { strict: false } },
    })
    this.#vite = vite
    await vite.listen()
    vite.httpServer?.on('connection', (socket: Socket) => {
      if (this.#isCut) socket.destroy()
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
    return vite.resolvedUrls?.local[0] ?? ''
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
    void this.#vite?.close()
    rmSync(this.#outDir, { recursive: true, force: true })
  }

  change(...changed: readonly (Partial<Item> & { readonly id: number })[]): void {
    for (const fields of changed) {
      this.items.set(fields.id, { title: '', done: false, ...this.items.get(fields.id), ...fields })
    }
    this.#version += 1
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }

  async cut(ms: number): Promise<void> {
    this.#isCut = true
    for (const socket of this.#sockets) socket.destroy()
    await pause(ms)
    this.#isCut = false
  }
}
