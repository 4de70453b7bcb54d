import { MysqlIntrospector } from 'kysely'
import { expect, it } from 'vitest'
import { chosen, testDatabase } from '../../test/database.ts'
import { recordStatements } from '../../test/statements.ts'
import { newWatch } from './watched.ts'

it.skipIf(chosen !== 'mysql')('tells what Kysely tells of tables, and joins nothing', async () => {
  const recorded = recordStatements()
  const watch = { ...newWatch(), statement: recorded.tracing.statement }
  const { db, close } = await testDatabase('mysql', watch)
  const found = await db.introspection.getTables()
  expect(recorded.begun.filter((s) => s.includes('information_schema.columns'))).toHaveLength(1)
  expect(recorded.begun.filter((s) => s.includes(' join '))).toEqual([])
  expect(found).toEqual(await new MysqlIntrospector(db).getTables())
  expect(found.length).toBeGreaterThan(50)
  await close()
})
