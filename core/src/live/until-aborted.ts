/** Yields the items of a source until the signal is aborted. A source that does not end then is abandoned. */
export async function* untilAborted<Item>(
  source: AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item, void> {
  const stream = source[Symbol.asyncIterator]()
  let end = (): void => {}
  signal.addEventListener('abort', () => end())
  try {
    while (!signal.aborted) {
      const next = await new Promise<IteratorResult<Item> | undefined>((resolve, reject) => {
        end = () => resolve(undefined)
        stream.next().then(resolve, reject)
      })
      if (signal.aborted || next === undefined || next.done) return
      yield next.value
    }
  } finally {
    void Promise.resolve(stream.return?.()).catch(() => {})
  }
}
