import { afterEach, describe, expect, test, vi } from 'vitest'
import { Controller } from '../../../core/src/client/controller.js'
import { Endpoint } from '../../../core/src/endpoint/endpoint.js'
import { Entity } from '../../../core/src/schema/entity.js'
import { EntityMixin } from '../../../core/src/schema/entity-mixin.js'
import { makeInstance } from '../../../core/src/schema/instance.js'
import { pkOfValue, pkText } from '../../../core/src/schema/pk.js'
import { type AnswerMeta, type EntityInterface, isEntity, type RowRecord } from '../../../core/src/schema/schema.js'
import { validateRequired } from '../../../core/src/schema/validate-required.js'
import { entityInfo } from '../../../core/src/table/entity-info.js'
import { OptionError } from '../../../core/src/util/errors.js'
import { FakeContext } from './fake-context.js'

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  title = 'untitled'
  tags: string[] = []
}

afterEach(() => {
  vi.restoreAllMocks()
})

const hostile = (): RowRecord => JSON.parse('{"id":"5","__proto__":{"isAdmin":true}}')

describe('instances', () => {
  test('have the fields that are given and the defaults for the rest', () => {
    const todo = Todo.fromJS({ id: '5' })
    expect(todo).toBeInstanceOf(Todo)
    expect({ ...todo }).toEqual({ id: '5', title: 'untitled', tags: [] })
    expect(Todo.createIfValid({ id: '5' })).toEqual(todo)
  })

  test('an own __proto__ in a payload is data and never a prototype', () => {
    const todo = Todo.createIfValid(hostile())
    expect(Object.getPrototypeOf(todo)).toBe(Todo.prototype)
    expect(todo).not.toHaveProperty('isAdmin')
    expect(Object.getOwnPropertyDescriptor(todo, '__proto__')?.value).toEqual({ isAdmin: true })
  })

  test('a field overrides a getter or setter of its name', () => {
    const written: unknown[] = []
    class Priced extends Entity {
      static override key = 'Priced'
      id = ''
      get price(): number {
        return 1
      }
      set price(price: number) {
        written.push(price)
      }
      get label(): string {
        return this.id
      }
    }
    const priced = Priced.createIfValid({ id: '5', price: 7, label: 'seven' })
    expect(priced).toMatchObject({ price: 7, label: 'seven' })
    expect(written).toEqual([])
    expect(Priced.fromJS({ id: '5' }).label).toBe('5')
  })

  test('data that validate refuses makes no instance', () => {
    class Strict extends Entity {
      static override key = 'Strict'
      static override validate(processed: RowRecord): string | undefined {
        return 'id' in processed ? undefined : 'no id'
      }
      id = ''
    }
    expect(Strict.createIfValid({})).toBeUndefined()
    expect(Strict.createIfValid({ id: '1' })).toBeInstanceOf(Strict)
  })

  test('createIfValid makes what fromJS makes', () => {
    class Marked extends Entity {
      static override key = 'Marked'
      id = ''
      mark = ''
      static override fromJS<Instance>(this: { readonly prototype: Instance }, fields: object = {}): Instance {
        return Object.assign(makeInstance(Marked, fields as RowRecord), { mark: 'seen' }) as Instance
      }
    }
    expect(Marked.createIfValid({ id: '1' })).toMatchObject({ mark: 'seen' })
    const controller = new Controller()
    controller.set(Marked, { id: '1' }, { id: '1' })
    expect(controller.get(Marked, { id: '1' })).toMatchObject({ mark: 'seen' })
  })
})

describe('defaults', () => {
  test('are found once for each class and not inherited', () => {
    class Task extends Todo {
      done = false
    }
    expect(Todo.defaults).toEqual({ id: '', title: 'untitled', tags: [] })
    expect(Todo.defaults).toBe(Todo.defaults)
    expect(Task.defaults).toEqual({ id: '', title: 'untitled', tags: [], done: false })
  })

  test('are none where the constructor throws without arguments', () => {
    class Picky extends Entity {
      static override key = 'Picky'
      id: string
      constructor(options?: { id: string }) {
        super()
        if (options === undefined) throw new Error('options are needed')
        this.id = options.id
      }
    }
    expect(Picky.defaults).toEqual({})
    expect(() => Picky.fromJS()).toThrow('options are needed')
  })

  test('decide which fields are required', () => {
    const { tags: _, ...required } = Todo.defaults
    expect(validateRequired({ id: '5', title: '' }, required)).toBeUndefined()
    expect(validateRequired({ id: '5' }, required)).toBe("Field 'title' is missing.")
    expect(validateRequired({ id: '5', toString: 1 }, { toString: null, title: '' })).toBe("Field 'title' is missing.")
  })
})

describe('the primary key', () => {
  test.each([
    [5, '5'],
    [0, '0'],
    ['undefined', 'undefined'],
    [12n, '12'],
    ['', undefined],
    [undefined, undefined],
    [null, undefined],
    [Number.NaN, undefined],
    [{}, undefined],
    [true, undefined],
  ])('%o is %o', (pk, text) => {
    expect(pkText(pk)).toBe(text)
  })

  test('runs on plain data', () => {
    expect(Todo.pk({ id: 5 }, undefined, undefined, [])).toBe('5')
  })

  class Pair extends Entity {
    static override key = 'Pair'
    a = ''
    b = ''
    override pk(): string {
      return `${this.a}-${this.b}`
    }
  }
  class Texted extends Entity {
    static override key = 'Texted'
    id = ''
    override pk(): string {
      return `${this.id}`
    }
  }

  test('a template that misses a field names nothing, unless the word stands in the data', () => {
    const pk = (entity: typeof Pair | typeof Texted, value: object) =>
      pkOfValue(entity, value, undefined, undefined, [])
    expect(pk(Pair, { a: 'x', b: 'y' })).toBe('x-y')
    expect(pk(Pair, { a: 'x' })).toBeUndefined()
    expect(pk(Texted, {})).toBeUndefined()
    expect(pk(Texted, { id: null })).toBeUndefined()
    expect(pk(Texted, { id: 'undefined' })).toBe('undefined')
    expect(pk(Texted, { id: 'undefined-behaviour' })).toBe('undefined-behaviour')
    expect(pk(Texted, { id: 'nullable' })).toBe('nullable')
  })

  test('may come from the parent and the field', () => {
    class Keyed extends Entity {
      static override key = 'Keyed'
      override pk(_parent: unknown, field?: string): string | undefined {
        return field
      }
    }
    expect(pkOfValue(Keyed, {}, {}, 'a-undefined', [])).toBe('a-undefined')
  })
})

describe('the kind', () => {
  test('is the name of the class by default, with one warning', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    class Nameless extends Entity {}
    class Below extends Nameless {}
    expect([Nameless.key, Nameless.key, Below.key]).toEqual(['Nameless', 'Nameless', 'Below'])
    expect(warn).toHaveBeenCalledTimes(2)
    expect(warn.mock.calls[0]?.[0]).toContain("static key = 'Nameless'")
  })

  test('is inherited where it is set', () => {
    class FullTodo extends Todo {}
    expect(FullTodo.key).toBe('Todo')
  })

  test('may be assigned, as older compilers do with static fields', () => {
    class Assigned extends Entity {}
    Assigned.key = 'Other'
    expect(Assigned.key).toBe('Other')
    expect(Object.hasOwn(Entity, 'key')).toBe(true)
  })

  test('a class without a name needs a key', () => {
    const nameless = (() => class extends Entity {})()
    expect(() => nameless.key).toThrow(OptionError)
  })
})

describe('merging', () => {
  const meta = (start: number): AnswerMeta => ({ start, date: 0, expiresAt: 0 })

  test('the newer response wins field by field', () => {
    expect(Todo.mergeWithStore(meta(1), meta(2), { a: 1, b: 1 }, { a: 2 })).toEqual({ a: 2, b: 1 })
    expect(Todo.mergeWithStore(meta(2), meta(1), { a: 1, b: 1 }, { a: 2, c: 2 })).toEqual({ a: 1, b: 1, c: 2 })
    expect(Todo.mergeMetaWithStore(meta(1), meta(2), {}, {}).start).toBe(2)
    expect(Todo.mergeMetaWithStore(meta(2), meta(1), {}, {}).start).toBe(2)
  })

  test('shouldUpdate keeps the stored fields', () => {
    class Fixed extends Todo {
      static override shouldUpdate(): boolean {
        return false
      }
    }
    const existing = { a: 1 }
    expect(Fixed.mergeWithStore(meta(1), meta(2), existing, { a: 2 })).toBe(existing)
  })

  test('a payload cannot change a prototype', () => {
    const merged = Todo.merge({ id: '5' }, hostile())
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype)
  })
})

describe('the methods that a class did not override', () => {
  const plainParts = (entity: EntityInterface): object => {
    const { inheritsPk, inheritsProcess, inheritsValidate, inheritsMerge, inheritsOrder, isFields } = entityInfo(entity)
    return { inheritsPk, inheritsProcess, inheritsValidate, inheritsMerge, inheritsOrder, isFields }
  }
  const all = {
    inheritsPk: true,
    inheritsProcess: true,
    inheritsValidate: true,
    inheritsMerge: true,
    inheritsOrder: true,
    isFields: true,
  }

  test('are found for Entity and for EntityMixin alike', () => {
    class Mixed extends EntityMixin(
      class Base {
        id = ''
      },
      { key: 'Mixed' },
    ) {}
    expect(plainParts(Todo)).toEqual(all)
    expect(plainParts(Mixed)).toEqual(all)
    expect(Mixed.process).toBe(Entity.process)
  })

  test('are found one by one', () => {
    class Other extends Todo {
      override pk(): string {
        return 'x'
      }
      static override process(input: unknown): unknown {
        return input
      }
      static override validate(): string | undefined {
        return undefined
      }
      static override merge(existing: RowRecord): RowRecord {
        return existing
      }
      static override shouldReorder(): boolean {
        return false
      }
    }
    expect(plainParts(Other)).toEqual({
      inheritsPk: false,
      inheritsProcess: false,
      inheritsValidate: false,
      inheritsMerge: false,
      inheritsOrder: false,
      isFields: true,
    })
  })
})

describe('a shown row is constructed by its class', () => {
  const show = <Instance>(entity: EntityInterface<Instance>, fields: RowRecord): Instance => {
    const controller = new Controller()
    const endpoint = new Endpoint(async (): Promise<unknown> => ({}), { name: 'shown', schema: entity } as never)
    const { setResponse, getResponse } = controller as unknown as {
      setResponse(endpoint: unknown, response: unknown): void
      getResponse(endpoint: unknown): { readonly data: unknown }
    }
    setResponse.call(controller, endpoint, { id: '5', ...fields })
    // The endpoint's schema is the class.
    return getResponse.call(controller, endpoint).data as Instance
  }

  test('with its own constructor, private members and bound functions', () => {
    class Built extends Todo {
      built: string
      constructor() {
        super()
        this.built = 'yes'
      }
    }
    class Secret extends Todo {
      readonly #secret = 1
      reveal(): number {
        return this.#secret
      }
    }
    class Bound extends Todo {
      readonly say = (): string => this.title
    }
    class Hidden extends Todo {
      readonly handlers = { click: () => this.title }
    }
    class Holder extends Todo {
      readonly map = new Map([['self', this]])
    }
    expect(show<Built>(Built, {}).built).toBe('yes')
    expect(show<Secret>(Secret, {}).reveal()).toBe(1)
    expect(show<Bound>(Bound, { title: 'a' }).say()).toBe('a')
    expect(show<Hidden>(Hidden, { title: 'b' }).handlers.click()).toBe('b')
    const held = show<Holder>(Holder, {})
    expect(held.map.get('self')).toBe(held)
  })

  test('with defaults that are its own', () => {
    class Rich extends Todo {
      nested = { deep: [1, 2] }
      other = Todo.fromJS()
    }
    const [one, two] = [show<Rich>(Rich, {}), show<Rich>(Rich, {})]
    expect(one.nested).toEqual({ deep: [1, 2] })
    expect(one.nested).not.toBe(two.nested)
    expect(one.other).toBeInstanceOf(Todo)
  })
})

describe('EntityMixin', () => {
  class Stock {
    static exchange = 'XETRA'
    symbol = ''
    price = 0
    double(): number {
      return this.price * 2
    }
  }

  test('makes an entity and leaves the class as it was', () => {
    class StockEntity extends EntityMixin(Stock, { pk: 'symbol', key: 'Stock', indexes: ['price'] }) {}
    expect(isEntity(StockEntity)).toBe(true)
    expect(isEntity(Stock)).toBe(false)
    expect(StockEntity.key).toBe('Stock')
    expect(StockEntity.exchange).toBe('XETRA')
    expect(StockEntity.indexes).toEqual(['price'])
    expect(StockEntity.pk({ symbol: 'A' }, undefined, undefined, [])).toBe('A')
    expect(StockEntity.fromJS({ symbol: 'A', price: 2 }).double()).toBe(4)
    expect(StockEntity.fromJS()).toBeInstanceOf(Stock)
    expect(Object.hasOwn(Stock.prototype, 'pk')).toBe(false)
  })

  test('takes its key from a function, or from the class itself', () => {
    const Made = EntityMixin(Stock, { pk: (stock, _parent, field) => `${stock.symbol}${field}`, key: 'Made' })
    expect(Made.pk({ symbol: 'A' }, undefined, '!', [])).toBe('A!')
    class WithPk {
      code = ''
      pk(): string {
        return this.code
      }
    }
    expect(EntityMixin(WithPk, { key: 'WithPk' }).pk({ code: 'c' }, undefined, undefined, [])).toBe('c')
    vi.spyOn(console, 'warn').mockReturnValue()
    expect(
      EntityMixin(
        class Named {
          id = ''
        },
      ).key,
    ).toBe('Named')
  })

  test('takes parts of the lifecycle, and keeps those of the class', () => {
    class Checked {
      id = ''
      static validate(): string | undefined {
        return 'never'
      }
    }
    expect(EntityMixin(Checked, { key: 'Checked' }).createIfValid({ id: '1' })).toBeUndefined()
    const Processed = EntityMixin(Stock, {
      pk: 'symbol',
      key: 'Processed',
      process: (input) => ({ ...(input as object), price: 1 }),
    })
    expect(Processed.process({ symbol: 'A' }, undefined, undefined, [])).toEqual({ symbol: 'A', price: 1 })
  })
})

describe('looking a row up', () => {
  class Account extends Entity {
    static override key = 'Account'
    static override indexes = ['email', 'phone']
    id = ''
    email = ''
    phone = ''
  }
  const context = new FakeContext()
  context.write('Account', '1', { id: '1', email: 'ann@x.test', phone: '7' })
  const find = (...args: readonly unknown[]) => Account.queryKey(args, context)

  test('goes by primary key, bare or in an object', () => {
    expect([find('1'), find(1), find({ id: 1 }), find({ id: '1', email: 'nobody' })]).toEqual(['1', '1', '1', '1'])
  })

  test('goes by the first index in the arguments', () => {
    expect([find({ email: 'ann@x.test' }), find({ phone: '7' })]).toEqual(['1', '1'])
    expect(find({ email: 'nobody', phone: '7' })).toBeUndefined()
  })

  test('finds nothing where nothing is stored', () => {
    expect([find(), find(null), find(''), find({}), find('2'), find({ id: '2' }), find('constructor')]).toEqual(
      Array(7).fill(undefined),
    )
  })

  test('a pk that fails on arguments names nothing', () => {
    class Deep extends Entity {
      static override key = 'Deep'
      meta = { id: '' }
      override pk(): string {
        return this.meta.id
      }
    }
    expect(Deep.queryKey([{ page: 1 }], context)).toBeUndefined()
  })
})
