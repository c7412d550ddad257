import { Session } from 'node:inspector/promises'

/**
 * The number of function calls in files during a step, as V8 counts them: work that is the same on every machine, however
 * busy it is. A loop over many things calls at least one for each.
 *
 * @param files - matches the addresses of the files that count: those of core and the devtools
 */
export async function callsDuring(act: () => unknown, files = /\/(?:core|devtools)\/src\//): Promise<number> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await act()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ url }) => files.test(url))
      .flatMap(({ functions }) => functions)
      .reduce((sum, { ranges: [whole] }) => sum + (whole?.count ?? 0), 0)
  } finally {
    // Counting ends with the session.
    session.disconnect()
  }
}
