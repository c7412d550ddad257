import { readConfig } from './config.js'
import { type RunningServer, startServer } from './start.js'

try {
  const server = await startServer(readConfig(process.env, process.argv), console.log)
  console.log(server.url)
  stopOnSignal(server)
} catch (error) {
  console.error(`The board cannot start. ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

function stopOnSignal(server: RunningServer): void {
  let isStopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A second signal means that the user does not want to wait.
      if (isStopping) process.exit(1)
      isStopping = true
      server.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error('The board did not stop cleanly:', error)
          process.exit(1)
        },
      )
    })
  }
}
