import { newUuid } from '../util/env.js'
import { equal } from '../util/equal.js'
import { isMissing } from '../util/thrown.js'
import { type Exchange, rowsIn } from './client.js'
import { Finding, fails, skips, warns } from './finding.js'
import type { CheckedEndpoint } from './options.js'
import {
  agree,
  type Checking,
  keyNames,
  keyOf,
  listed,
  oneRow,
  type ReadList,
  type Row,
  read,
  readPages,
  sendTo,
  shown,
  statusOf,
  succeeded,
} from './reads.js'

/** Fields that servers change by themselves. */
const OWN = /updated|modified|changed|version|revision|etag|completed|position/i

/** Checks mutations on rows that it creates, and always deletes these rows. */
export async function checkWrites(checking: Checking, list: ReadList): Promise<void> {
  const { report } = checking
  const made: Row[] = []
  try {
    await checkRow(checking, list, made)
  } finally {
    const left = await cleanUp(checking, made)
    if (left.length > 0)
      report.add('delete-gone', new Finding('fails', `Rows of the check are left: ${left.join(', ')}.`))
  }
}

async function checkRow(checking: Checking, list: ReadList, made: Row[]): Promise<void> {
  const { resource, report, send, options, place } = checking
  const { create, get, partialUpdate, update } = resource
  const { example = {}, change, params } = options
  if (!create) return
  const post = async (headers?: Record<string, string>): Promise<{ exchange: Exchange; row: Row | undefined }> => {
    const exchange = succeeded(await send(create, { ...params }, example, headers))
    const [row] = rowsIn(create, exchange.value) ?? []
    const hasKey = typeof row === 'object' && row !== null && keyOf(place, row as Row) !== undefined
    if (hasKey) made.push(row as Row)
    return { exchange, row: hasKey ? (row as Row) : undefined }
  }

  const isCreated = await report.check('create-row', async () => {
    const { exchange, row } = await post()
    if (!row) fails(`${statusOf(exchange)} and no row that has a key: ${shown(exchange.text) || 'nothing'}.`)
    agree(example as Row, row, exchange.place, 'the body')
  })
  const [row] = made
  if (!row) return
  await report.check('create-listed', () => checkListed(checking, row))
  if (get) {
    await report.check('create-readable', async () => {
      const item = succeeded(await sendTo(checking, get, row))
      if (isCreated) agree(row, oneRow(get, item), item.place, 'the response to its creation')
    })
  }
  await report.check('idempotency-key', async () => {
    const headers = { 'idempotency-key': newUuid() }
    const { row: first } = await post(headers)
    const { row: second, exchange } = await post(headers)
    const [one, other] = [first && keyOf(place, first), second && keyOf(place, second)]
    if (one !== other)
      warns(
        `${exchange.place} with the Idempotency-Key of before made row ${other} after ${one}: a repeated request is done twice.`,
      )
    made.pop()
  })

  if (change && partialUpdate && get) await checkChange(checking, { row, change, get, partialUpdate })
  if (update) {
    await report.check('put-row', async () => {
      const keys = Object.fromEntries(keyNames(place).map((name) => [name, row[name]]))
      const body = { ...example, ...change }
      const exchange = await sendTo(checking, update, row, { ...keys, ...body })
      if (/^(?:404|405|501)$/.test(`${exchange.status}`)) warns(`${statusOf(exchange)}: the server has no PUT.`)
      if (succeeded(exchange).status === 204) return
      const replaced = oneRow(update, exchange)
      if (keyOf(place, replaced) !== keyOf(place, row))
        fails(`${exchange.place} responded with row ${keyOf(place, replaced)}.`)
      agree(body as Row, replaced, exchange.place, 'the body')
    })
  }
  await checkDelete(checking, list, row, made)
}

async function checkListed(checking: Checking, row: Row): Promise<void> {
  const { resource, options, place } = checking
  const { getList } = resource
  if (!getList) skips('There is no list.')
  const filters = Array.isArray(options.filters) ? options.filters : Object.keys(options.filters ?? {})
  const own = filters.filter((name) => row[name] !== undefined && row[name] !== null)
  for (const params of [{}, ...own.map((name) => ({ [name]: row[name] }))]) {
    let isIn = false
    let at = ''
    const isWhole = await readPages(checking, getList, params, (rows, exchange) => {
      at ||= exchange.place
      isIn = rows.some((one) => keyOf(place, one) === keyOf(place, row))
      return isIn
    })
    if (!isIn && !isWhole) warns(`${at} does not have row ${keyOf(place, row)} on the pages that were read.`)
    if (!isIn) fails(`${at} does not have row ${keyOf(place, row)}, which was just created.`)
  }
}

interface Changing {
  readonly row: Row
  readonly change: object
  readonly get: CheckedEndpoint
  readonly partialUpdate: CheckedEndpoint
}

async function checkChange(checking: Checking, { row, change, get, partialUpdate }: Changing): Promise<void> {
  const { report, place } = checking
  const readItem = async (): Promise<Exchange> => succeeded(await sendTo(checking, get, row))
  const send = (headers?: Record<string, string>) => sendTo(checking, partialUpdate, row, change, headers)
  let before: Exchange | undefined
  let known: Row = row
  const isChanged = await report.check('patch-row', async () => {
    before = await readItem()
    known = oneRow(get, before)
    const exchange = succeeded(await send())
    if (exchange.status === 204) return
    const changed = oneRow(partialUpdate, exchange)
    if (keyOf(place, changed) !== keyOf(place, row))
      fails(`${exchange.place} responded with row ${keyOf(place, changed)}.`)
    agree(change as Row, changed, exchange.place, 'the body')
  })
  if (!isChanged || !before) return
  const etag = before.headers.get('etag')
  let after = before
  await report.check('patch-others', async () => {
    after = await readItem()
    const now = oneRow(get, after)
    agree(change as Row, now, after.place, 'the change')
    const other = Object.keys(known).find(
      (name) => !(name in change) && !OWN.test(name) && !equal(known[name], now[name]),
    )
    if (other === undefined) return
    const names = Object.keys(change).join(', ')
    fails(
      `${after.place}: a change of ${names} made ${other} ${JSON.stringify(now[other])}, it was ${JSON.stringify(known[other])}.`,
    )
  })
  if (etag === null) return
  await report.check('etag-changes', () => {
    if (after.headers.get('etag') === etag) fails(`${after.place} has the ETag ${etag} of before the change.`)
  })
  await report.check('if-match-412', async () => {
    const exchange = await send({ 'if-match': etag })
    if (exchange.status === 412) return
    fails(`${statusOf(exchange)} to If-Match with an older ETag, not 412: an edit of somebody else would be lost.`)
  })
}

async function checkDelete(checking: Checking, { isPaged }: ReadList, row: Row, made: Row[]): Promise<void> {
  const { resource, report, place } = checking
  const { delete: remove, get, getList } = resource
  if (!remove) return
  const key = keyOf(place, row)
  const isDeleted = await report.check('delete-gone', async () => {
    succeeded(await sendTo(checking, remove, row))
    if (get && report.isKept('item-404')) {
      const exchange = await sendTo(checking, get, row)
      if (!isMissing(exchange)) fails(`${statusOf(exchange)} after DELETE, not 404.`)
    }
    if (!getList || isPaged) return
    const list = await read(checking, getList, {})
    if (listed(getList, list).some((one) => keyOf(place, one) === key))
      fails(`${list.place} has row ${key} after DELETE.`)
  })
  if (!isDeleted) return
  made.splice(made.indexOf(row), 1)
  await report.check('delete-twice', async () => {
    const exchange = await sendTo(checking, remove, row)
    if (exchange.status >= 300 && !isMissing(exchange))
      fails(`${exchange.place} for a row that is gone responded with ${exchange.status}, not 404 or 204.`)
  })
}

/** Deletes the rows that the check has created, and returns the keys of those that are left. */
async function cleanUp(checking: Checking, made: readonly Row[]): Promise<readonly string[]> {
  const { resource, place } = checking
  const { delete: remove } = resource
  const left: string[] = []
  for (const row of made) {
    const done = remove && (await sendTo(checking, remove, row).catch(() => undefined))
    if (!done || (done.status >= 300 && !isMissing(done))) left.push(`${keyOf(place, row)}`)
  }
  return left
}
