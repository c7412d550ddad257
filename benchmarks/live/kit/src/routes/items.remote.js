import { command, query } from '$app/server'

/** The items of the benchmark, which runs in the same process. */
const { items, version, listTaken, after, save } = globalThis.liveItems

// #region code
// As in its documentation: a function that yields what there is, each time that it changes. Whoever connects again starts it anew.
export const getItems = query.live(async function* () {
  for (;;) {
    const seen = version()
    const all = [...items.values()]
    await listTaken()
    yield all
    await after(seen)
  }
})

export const edit = command('unchecked', ({ id, title }) => save(id, { title }))
// #endregion code
