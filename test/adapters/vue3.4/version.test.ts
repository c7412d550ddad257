import { expect, test } from 'vitest'
import { version } from 'vue'

test('this project runs the suite of the adapter on Vue 3.4', () => {
  expect(version).toMatch(/^3\.4\./)
})
