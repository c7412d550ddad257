import { cpu, finish, read, sizeOf } from './sample.js'

/** The floor: the same data parsed, and written again, once. */
const text = read()
let value: unknown
let again = ''
const parse = await cpu(async () => {
  value = JSON.parse(text)
})
const stringify = await cpu(async () => {
  again = JSON.stringify(value)
})
finish({ parse, stringify, bytes: sizeOf(again) })
