import * as adapter from '@roundtable/react'
import { expect, test } from 'vitest'

/** The compiler keeps what a component computed in slots of a cache: $[0], $[1] … */
const SLOT = /\$\[0\]/

function Greeting({ name }: { name: string }) {
  return <p>{name.toUpperCase()}</p>
}

test('this project compiles what it runs with React Compiler', () => {
  expect(Greeting.toString()).toMatch(SLOT)
})

test('hooks are compiled too, except those that the compiler skips', () => {
  const { useCache, useQuery, useDLE, useFetch, useSubscription, useDebounce } = adapter
  for (const hook of [useCache, useQuery, useDLE, useFetch, useSubscription, useDebounce]) {
    expect(hook.toString(), hook.name).toMatch(SLOT)
  }
  // Hooks called from `map`, arguments spread into a hook, `finally`, refs in render: it leaves these as they are.
  const { useSuspense, useLive, useLoading, useCancelling } = adapter
  for (const hook of [useSuspense, useLive, useLoading, useCancelling]) {
    expect(hook.toString(), hook.name).not.toMatch(SLOT)
  }
})
