import { offline } from '@roundtable/core/offline'
import { Database } from 'node-sqlite3-wasm'
import { sqliteLog } from './sqlite-log.js'

const database = new Database('board-42.db')

export const store = offline({
  log: sqliteLog({
    run: (sql, values) => database.run(sql, values),
    all: (sql, values) => database.all(sql, values),
  }),
})
