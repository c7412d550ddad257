import { CamelCasePlugin, Kysely, Migrator, PostgresDialect, type PostgresPool } from 'kysely'
import type { Surroundings } from './data-folder.js'
import { migrations } from './migrations.js'
import { SCHEMA } from './schema.js'
import type { Database, Tables } from './tables.js'

/**
 * Makes a typed database of a pool and brings its tables up to date. All of it, the seed too, happens in one
 * transaction: a start that is killed halfway leaves nothing behind.
 */
export async function prepare(pool: PostgresPool, surroundings: Surroundings): Promise<Database> {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] })
  try {
    await migrate(db, surroundings)
    return db.withSchema(SCHEMA)
  } catch (error) {
    // The first error is more useful than that of a pool that cannot close.
    await db.destroy().catch(() => {})
    throw error
  }
}

async function migrate(db: Database, surroundings: Surroundings): Promise<void> {
  const migrator = new Migrator({
    db,
    migrationTableSchema: SCHEMA,
    provider: { getMigrations: async () => migrations(surroundings) },
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}
