// @vitest-environment node
import { Controller, Endpoint, Entity } from '@roundtable/core'
import { DataProvider } from '@roundtable/react/next'
import { isValidElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { inserted } from './next-navigation.js'

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  title = ''
}

const getTodo = new Endpoint((_: { id: string }) => new Promise<never>(() => {}), { name: 'getTodo', schema: Todo })

test('what was fetched while rendering is put into the page once, as a script with the nonce', () => {
  let controller: Controller | undefined
  renderToString(
    <DataProvider
      nonce="n1"
      createController={(options) => {
        expect(options).toEqual({ server: true })
        controller = new Controller(options)
        return controller
      }}
    >
      …
    </DataProvider>,
  )
  const [callback] = inserted
  expect(callback?.()).toBeUndefined()
  controller?.setResponse(getTodo, { id: '1' }, { id: '1', title: 'one' })
  const script = callback?.()
  expect(isValidElement(script) && script.props).toMatchObject({
    nonce: 'n1',
    dangerouslySetInnerHTML: { __html: expect.stringContaining('one') },
  })
  expect(callback?.()).toBeUndefined()
})
