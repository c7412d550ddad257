/** Yields lists of pushed items, until the source ends or the signal is aborted. */
export async function* pushed<Item>(
  signal: AbortSignal,
  start: (
    push: (item: Item) => void,
    end: (error?: unknown) => void,
  ) => () => void,
) {
  let items: Item[] = []
  let over: { error?: unknown } | undefined
  let wake = () => {}
  const end = (error?: unknown) => {
    over ??= { error }
    wake()
  }
  const stop = start((item) => {
    items.push(item)
    wake()
  }, end)
  signal.addEventListener('abort', () => end())
  try {
    while (over === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve
        if (items.length > 0 || over !== undefined) resolve()
      })
      const next = items
      items = []
      yield next
    }
    if (over.error !== undefined) throw over.error
  } finally {
    stop()
  }
}
