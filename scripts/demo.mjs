// Builds the packages and the board, then serves the board until it is stopped.
import { spawn, spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const board = join(root, 'examples', 'board')
const turbo = join(root, 'node_modules', 'turbo', 'bin', 'turbo')

build()
serve()

function build() {
  const args = [turbo, 'run', 'build', '--filter=@roundtable/example-board', '--output-logs=errors-only']
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' }
  const { status } = spawnSync(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] })
  if (status === 0) return
  console.error('The build failed: its message above says why.')
  process.exit(status ?? 1)
}

/** The server prints its address; a signal to this script is passed on, so that the server can close its database. */
function serve() {
  const env = { NODE_ENV: 'production', ...process.env }
  const server = spawn(process.execPath, ['dist/server/main.js'], { cwd: board, env, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal))
  server.on('error', (error) => {
    console.error(`The server did not start: ${error.message}`)
    process.exitCode = 1
  })
  server.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1)
  })
}
