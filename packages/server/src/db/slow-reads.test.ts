import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery, sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Db, openDb } from './open.ts'
import { slowReads } from './slow-reads.ts'
import { newWatch } from './watched.ts'

let folder: string
let db: Db
let reads: ReturnType<typeof slowReads>
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-test-'))
  const file = join(folder, 'switchroom.db')
  db = openDb({ kind: 'sqlite', file })
  await sql`create table switchroom_state (name text primary key, value text)`.execute(db)
  reads = slowReads(file, newWatch(), 50)
})
afterEach(async () => {
  await reads.close()
  await db.destroy()
  rmSync(folder, { recursive: true })
})

const add = (name: string) =>
  db.insertInto('switchroom_state').values({ name, value: 'created' }).execute()
const names = async () => {
  const rows = await reads.read<{ name: string }>(
    db.selectFrom('switchroom_state').select('name').orderBy('name').compile(),
  )
  return rows.map((row) => row.name)
}

it('sees what was written before, and blocks nobody', async () => {
  await add('one')
  expect(await names()).toEqual(['one'])
  await add('two')
  const long = CompiledQuery.raw(
    'with recursive n(i) as (select 1 union all select i + 1 from n where i < 300000) select count(*) as total from n',
  )
  /** Turns of the event loop during a read. A busy machine may give this thread few. */
  const turns = async () => {
    let turns = 0
    let done = false
    const count = () => {
      turns++
      if (!done) setImmediate(count)
    }
    count()
    const [total, after] = await Promise.all([reads.read(long), names()])
    done = true
    expect([total, after]).toEqual([[{ total: 300_000 }], ['one', 'two']])
    return turns
  }
  await expect.poll(turns).toBeGreaterThan(20)
})

it('goes on after a read that fails, which is told why', async () => {
  const wrong = reads.read(CompiledQuery.raw('select 1 from nowhere'))
  const right = names()
  await expect(wrong).rejects.toThrow('no such table: nowhere')
  expect(await right).toEqual([])
})

it('starts its thread again once that has rested or stopped', async () => {
  await names()
  const threads = () =>
    process.getActiveResourcesInfo().filter((resource) => resource === 'MessagePort').length
  const running = threads()
  await expect.poll(threads).toBeLessThan(running)
  await add('one')
  expect(await names()).toEqual(['one'])
  const cut = names()
  await reads.close()
  await expect(cut).rejects.toThrow('The thread of the database stopped')
  expect(await names()).toEqual(['one'])
})
