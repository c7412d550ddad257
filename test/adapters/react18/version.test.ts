import { render } from '@testing-library/react'
import { createElement, version } from 'react'
import { version as domVersion } from 'react-dom'
import { expect, test } from 'vitest'

test('this project runs the suite of the adapter on React 18', () => {
  expect([version, domVersion]).toEqual([expect.stringMatching(/^18\./), expect.stringMatching(/^18\./)])
})

test('the testing library renders with the same React', () => {
  expect(render(createElement('p', null, 'eighteen')).container.textContent).toBe('eighteen')
})
