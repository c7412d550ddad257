import { Session } from 'node:inspector/promises'

/**
 * The number of function calls in our packages during a step, as V8 counts them: work that is the same on every
 * machine, however busy it is.
 * A loop over many things calls at least one for each.
 */
export async function callsDuring(act: () => void): Promise<number> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    act()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ url }) => /\/(?:core|devtools)\/src\//.test(url))
      .flatMap(({ functions }) => functions)
      .reduce((sum, { ranges: [whole] }) => sum + (whole?.count ?? 0), 0)
  } finally {
    // Counting ends with the session.
    session.disconnect()
  }
}
