import { expect, test } from 'vitest'

function Greeting({ name }: { name: string }) {
  return <p>{name.toUpperCase()}</p>
}

test('this project compiles what it runs with React Compiler', () => {
  // The compiler keeps what a component computed in slots of a cache: $[0], $[1] …
  expect(Greeting.toString()).toMatch(/\$\[0\]/)
})
