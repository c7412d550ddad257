import { Collection, Controller, Endpoint, Entity, validateRequired } from '@roundtable/core'
import { settle } from '@roundtable/core/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { watch } from './todo-board.js'

class Article extends Entity {
  static override key = 'Article'
  id = ''
  title = ''
  text = ''
  subtitle: string | undefined = undefined
}

/** A list that has articles without their text, and the read of one. */
function openArticles(entity: typeof Article = Article) {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const requested: string[] = []
  const getArticles = new Endpoint(async () => [{ id: '1', title: 'Rain' }], {
    name: 'getArticles',
    schema: new Collection([entity]),
  })
  const getArticle = new Endpoint(
    async ({ id }: { id: string }) => {
      requested.push(id)
      return { id, title: 'Rain', text: 'It rained.' }
    },
    { name: 'getArticle', schema: entity },
  )
  const controller = new Controller()
  return { controller, getArticles, getArticle, requested, warned }
}

afterEach(() => vi.restoreAllMocks())

test('a read that a lighter row answers without a request warns once, and names the fields that are missing', async () => {
  const { controller, getArticles, getArticle, requested, warned } = openArticles()
  await controller.fetch(getArticles)
  for (let time = 0; time < 2; time++) {
    const shown = watch(controller.watch(getArticle, { id: '1' }))
    await settle()
    expect(shown.now).toMatchObject({ status: 'ready', data: { title: 'Rain', text: '' } })
    shown.stop()
  }
  expect(requested).toEqual([])
  expect(warned.mock.calls).toEqual([[expect.stringMatching(/^getArticle sends no request .* had no text\. /)]])
  controller.dispose()
})

test('it does not warn where the row has all fields, or where the class requires them and they are fetched', async () => {
  class Whole extends Article {
    static override validate(processed: Readonly<Record<string, unknown>>) {
      return validateRequired(processed, { text: '' })
    }
  }
  const { controller, getArticles, getArticle, requested, warned } = openArticles()
  await controller.fetch(getArticle, { id: '1' })
  await controller.fetch(getArticles)
  const strict = getArticle.extend({ schema: Whole })
  controller.setResponse(getArticles, [{ id: '2', title: 'Snow' }])
  const shown = [watch(controller.watch(getArticle, { id: '1' })), watch(controller.watch(strict, { id: '2' }))]
  await settle()
  expect(requested).toEqual(['1', '2'])
  expect(shown.map(({ now }) => now.data?.text)).toEqual(['It rained.', 'It rained.'])
  expect(warned).not.toHaveBeenCalled()
  controller.dispose()
})

test('nor for a row that was made here, which the server has not told anything of', async () => {
  const { controller, getArticle, warned } = openArticles()
  const create = new Endpoint(async (title: string) => ({ id: '3', title }), {
    name: 'create',
    schema: Article,
    sideEffect: true,
  })
  await controller.fetch(create, 'Hail')
  watch(controller.watch(getArticle, { id: '3' }))
  await settle()
  expect(warned).not.toHaveBeenCalled()
  controller.dispose()
})
