import { RestEndpoint } from '@roundtable/core'
import { describe, expectTypeOf, test } from 'vitest'

interface Draft {
  title: string
}

describe('arguments: the body', () => {
  test('B1: POST, PUT and PATCH take a body of any type', () => {
    for (const save of [
      new RestEndpoint({ path: '/todos/:id', method: 'POST' }),
      new RestEndpoint({ path: '/todos/:id', method: 'PUT' }),
      new RestEndpoint({ path: '/todos/:id', method: 'PATCH' }),
    ]) {
      save({ id: 5 }, { title: 'Milk' })
      save({ id: 5 }, 'text')
      // @ts-expect-error with one argument, that is the body: the params are missing
      save({ id: 5 })
      // @ts-expect-error a third argument
      save({ id: 5 }, {}, {})
    }
  })

  test('B2: POST on a static path takes the body alone', () => {
    const create = new RestEndpoint({ path: '/todos', method: 'POST' })
    create({ title: 'Milk' })
    // @ts-expect-error there are no params
    create({}, { title: 'Milk' })
  })

  test('B3: body: {} as X is required and typed', () => {
    const create = new RestEndpoint({ path: '/todos', method: 'POST', body: {} as Draft })
    create({ title: 'Milk' })
    // @ts-expect-error the body is missing
    create()
    // @ts-expect-error title is missing
    create({})
    // @ts-expect-error no such field
    create({ title: 'Milk', done: true })
    // @ts-expect-error title is text
    create({ title: 5 })
    const update = new RestEndpoint({ path: '/todos/:id', method: 'PUT', body: {} as Draft })
    update({ id: 5 }, { title: 'Milk' })
    // @ts-expect-error title is missing
    update({ id: 5 }, {})
    // @ts-expect-error the params are missing
    update({ title: 'Milk' })
  })

  test('B4: body: undefined takes the body away', () => {
    const touch = new RestEndpoint({ path: '/todos/:id/touch', method: 'POST', body: undefined })
    touch({ id: 5 })
    // @ts-expect-error there is no body
    touch({ id: 5 }, {})
  })

  test('B5: body: undefined on a static path leaves no argument', () => {
    const logout = new RestEndpoint({ path: '/logout', method: 'POST', body: undefined })
    logout()
    // @ts-expect-error there is no body
    logout({})
  })

  test('B6: all path params optional: the body, or params and body', () => {
    const save = new RestEndpoint({ path: '/todos{/:id}', method: 'POST', body: {} as Draft })
    save({ title: 'Milk' })
    save({ id: 5 }, { title: 'Milk' })
    // @ts-expect-error the body is missing
    save()
    // @ts-expect-error no such param
    save({ other: 5 }, { title: 'Milk' })
  })

  test('B7: all search params optional: the body, or params and body', () => {
    const save = new RestEndpoint({
      path: '/todos',
      method: 'POST',
      body: {} as Draft,
      searchParams: {} as { notify?: boolean },
    })
    save({ title: 'Milk' })
    save({ notify: true }, { title: 'Milk' })
    // @ts-expect-error the body is missing
    save()
  })

  test('B8: body: X | undefined may be left out where there are no params, and be undefined where there are', () => {
    const run = new RestEndpoint({ path: '/run', method: 'POST', body: {} as Draft | undefined })
    run()
    run({ title: 'Milk' })
    const runOne = new RestEndpoint({ path: '/run/:id', method: 'POST', body: {} as Draft | undefined })
    runOne({ id: 5 }, undefined)
    runOne({ id: 5 }, { title: 'Milk' })
    // @ts-expect-error with one argument, that is the body
    runOne({ id: 5 })
  })

  test('B9: a body on GET, or without a method, cannot be', () => {
    // @ts-expect-error GET has no body
    new RestEndpoint({ path: '/search', body: {} as Draft })
    // @ts-expect-error GET has no body
    new RestEndpoint({ path: '/search', method: 'GET', body: {} as Draft })
    // @ts-expect-error HEAD has no body
    new RestEndpoint({ path: '/search', method: 'HEAD', body: {} as Draft })
    new RestEndpoint({ path: '/search', body: undefined })
  })

  test('B10: DELETE has no body, unless it is given one', () => {
    const remove = new RestEndpoint({ path: '/todos/:id', method: 'DELETE' })
    remove({ id: 5 })
    // @ts-expect-error there is no body
    remove({ id: 5 }, {})
    const removeMany = new RestEndpoint({ path: '/todos', method: 'DELETE', body: [] as string[] })
    removeMany(['5', '13'])
  })

  test('B11: extend({ method }) does not add a body', () => {
    const save = new RestEndpoint({ path: '/todos/:id' }).extend({ method: 'POST' })
    save({ id: 5 })
    // @ts-expect-error the body is no argument
    save({ id: 5 }, {})
    const get = new RestEndpoint({ path: '/todos/:id', method: 'POST' })
    // @ts-expect-error GET cannot have the body that POST had
    get.extend({ method: 'GET', body: {} as Draft })
  })

  test('B12: extend({ body }) replaces the body', () => {
    const create = new RestEndpoint({ path: '/todos', method: 'POST', body: {} as Draft })
    const rename = create.extend({ body: {} as { name: string } })
    rename({ name: 'Ann' })
    // @ts-expect-error the body was replaced
    rename({ title: 'Milk' })
    const renameOne = create.extend({ body: {} as { name: string }, path: '/todos/:id' })
    renameOne({ id: 5 }, { name: 'Ann' })
    // @ts-expect-error id is missing
    renameOne({ name: 'Ann' })
    const notify = create.extend({ body: {} as { name: string }, searchParams: {} as { to: string } })
    notify({ to: 'b' }, { name: 'Ann' })
    // @ts-expect-error to is missing
    notify({ name: 'Ann' })
  })

  test('B13: extend({ body: undefined }) removes it', () => {
    const create = new RestEndpoint({ path: '/todos/:id', method: 'POST', body: {} as Draft })
    const touch = create.extend({ body: undefined })
    touch({ id: 5 })
    // @ts-expect-error there is no body left
    touch({ id: 5 }, { title: 'Milk' })
  })

  test('B14: extend({ method, body: undefined }) on a GET', () => {
    const touch = new RestEndpoint({ path: '/todos/:id' }).extend({ method: 'POST', body: undefined })
    touch({ id: 5 })
    // @ts-expect-error there is no body
    touch({ id: 5 }, {})
    expectTypeOf(touch.sideEffect).toEqualTypeOf<true>()
  })

  test('B15: a path that is not known literally, with a body', () => {
    const save = new RestEndpoint({
      path: '/todos' as string,
      method: 'POST',
      searchParams: undefined,
      body: {} as Draft,
      getOptimisticResponse(snapshot, ...args) {
        expectTypeOf(snapshot.abort).toEqualTypeOf<Error>()
        return args.at(-1)
      },
    })
    save({ title: 'Milk' })
    save({ whatever: 5 }, { title: 'Milk' })
    // @ts-expect-error the body is missing
    save()
    const kept = save.extend({ dataExpiryLength: 5 }) // B18
    kept({ title: 'Milk' })
    // @ts-expect-error the body is still needed
    kept()
  })

  test('B16: a path that is not known literally, PUT with a body', () => {
    const save = new RestEndpoint({ path: '/todos' as string, method: 'PUT', body: {} as Draft })
    // @ts-expect-error the body is missing
    save()
    const args = [{ id: 5 }, { title: 'Milk' }] as const
    save(...args)
  })

  test('B17: a path that is not known literally, search params, a read with a body', () => {
    const search = new RestEndpoint({
      path: '/search' as string,
      method: 'POST',
      sideEffect: false,
      searchParams: {} as { page?: number },
      body: {} as Draft,
    })
    search({ title: 'Milk' })
    search({ page: 2 }, { title: 'Milk' })
  })

  test('FormData is a body like any other', () => {
    const upload = new RestEndpoint({ path: '/files', method: 'POST', body: {} as FormData })
    upload(new FormData())
    // @ts-expect-error it is a form
    upload({})
  })
})
