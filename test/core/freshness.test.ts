import { describe, expect, test } from 'vitest'
import { type Facts, freshness, type Judgement } from '../../core/src/freshness.js'

const now = 1_000
const inDate = now + 1
const outOfDate = now

const nothing: Facts = {
  hasData: false,
  isInvalid: false,
  isStale: false,
  expiresAt: Infinity,
  invalidIfStale: false,
  error: undefined,
  justArrived: false,
}
const data: Facts = { ...nothing, hasData: true, expiresAt: inDate }
const oldData: Facts = { ...data, expiresAt: outOfDate }
const hard = { policy: undefined, expiresAt: inDate }
const soft = { policy: 'soft', expiresAt: inDate } as const

const show = (of: Facts): Judgement => freshness(of, now)
const DATA: Judgement = { show: 'data', fetch: false }
const DATA_AND_FETCH: Judgement = { show: 'data', fetch: true }
const ERROR: Judgement = { show: 'error', fetch: false }
const ERROR_AND_DATA: Judgement = { show: 'error', fetch: false, keepsData: true }
const WAIT: Judgement = { show: 'wait', fetch: true }

describe('a row that was deleted here is not asked for, whatever else is known', () => {
  test.each<[string, Facts]>([
    ['nothing', nothing],
    ['an error', { ...nothing, error: hard }],
    ['an invalidation', { ...nothing, isInvalid: true }],
  ])('%s', (_, facts) => {
    expect(show({ ...facts, deleted: 'recently' })).toEqual({ show: 'data', fetch: false, isLast: true })
    expect(show({ ...facts, deleted: 'before' })).toEqual(ERROR)
  })
})

describe('a fresh soft error, with data that may be shown, shows the data', () => {
  test.each<[string, Facts, Judgement]>([
    ['data in date', { ...data, error: soft }, DATA],
    ['data out of date, without another fetch', { ...oldData, error: soft }, DATA],
    ['data that is stale', { ...data, isStale: true, error: soft }, DATA],
    ['no data: the error', { ...nothing, error: soft }, ERROR_AND_DATA],
    ['data that was invalidated: the error', { ...data, isInvalid: true, error: soft }, ERROR],
    [
      'data out of date that may then not be shown: the error',
      { ...oldData, invalidIfStale: true, error: soft },
      ERROR,
    ],
    ['data in date that could go invalid', { ...data, invalidIfStale: true, error: soft }, DATA],
    [
      'an error that has just arrived makes data no younger',
      { ...oldData, invalidIfStale: true, error: soft, justArrived: true },
      ERROR,
    ],
  ])('%s', (_, facts, verdict) => {
    expect(show(facts)).toEqual(verdict)
  })
})

describe('a fresh error otherwise shows, beside data that may be shown, and nothing is fetched', () => {
  test.each<[string, Facts, Judgement]>([
    ['without data: what comes meanwhile', { ...nothing, error: hard }, ERROR_AND_DATA],
    ['beside data in date', { ...data, error: hard }, ERROR_AND_DATA],
    ['beside data out of date', { ...oldData, error: hard }, ERROR_AND_DATA],
    ['beside data that is stale', { ...data, isStale: true, error: hard }, ERROR_AND_DATA],
    ['above what was invalidated', { ...data, isInvalid: true, error: hard }, ERROR],
    ['above data that may not be shown when out of date', { ...oldData, invalidIfStale: true, error: hard }, ERROR],
  ])('%s', (_, facts, verdict) => {
    expect(show(facts)).toEqual(verdict)
  })
})

describe('a stale error does not count', () => {
  const over = { policy: undefined, expiresAt: outOfDate }
  test.each<[string, Facts, Judgement]>([
    ['without data: wait', { ...nothing, error: over }, WAIT],
    ['with data in date: the data', { ...data, error: over }, DATA],
    ['with data out of date: the data and a fetch', { ...oldData, error: over }, DATA_AND_FETCH],
    ['a soft one neither', { ...oldData, error: { ...over, policy: 'soft' } }, DATA_AND_FETCH],
  ])('%s', (_, facts, verdict) => {
    expect(show(facts)).toEqual(verdict)
  })

  test('but at the moment of its arrival it does, also with a lifetime of 0', () => {
    expect(show({ ...nothing, error: over, justArrived: true })).toEqual(ERROR_AND_DATA)
  })
})

describe('without an error', () => {
  test.each<[string, Facts, Judgement]>([
    ['nothing is known: wait', nothing, WAIT],
    ['what is there was invalidated: wait', { ...data, isInvalid: true }, WAIT],
    ['invalidated counts before out of date', { ...oldData, isInvalid: true, invalidIfStale: true }, WAIT],
    ['data in date is shown', data, DATA],
    ['data in date is shown with invalidIfStale too', { ...data, invalidIfStale: true }, DATA],
    ['data out of date is shown and fetched', oldData, DATA_AND_FETCH],
    ['stale data is out of date, whatever the clock says', { ...data, isStale: true }, DATA_AND_FETCH],
    ['data out of date that may not be shown: wait', { ...oldData, invalidIfStale: true }, WAIT],
    ['stale data that may not be shown: wait', { ...data, isStale: true, invalidIfStale: true }, WAIT],
    ['data that never expires is in date', { ...data, expiresAt: Infinity }, DATA],
    ['data that is always stale is out of date', { ...data, expiresAt: 0 }, DATA_AND_FETCH],
  ])('%s', (_, facts, verdict) => {
    expect(show(facts)).toEqual(verdict)
  })

  test('a response with a lifetime of 0 is fresh at the moment of its arrival, so it is not fetched for ever', () => {
    expect(show({ ...oldData, justArrived: true })).toEqual(DATA)
    expect(show({ ...oldData, justArrived: true, invalidIfStale: true })).toEqual(DATA)
  })

  test('data that is marked as stale is stale also at its arrival', () => {
    expect(show({ ...data, isStale: true, justArrived: true })).toEqual(DATA_AND_FETCH)
  })
})
