import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { listing } from './listing.ts'
import { type ListingMemory, listingMemory } from './listing-memory.ts'
import type { SlowRead } from './slow-reads.ts'
import { newWatch } from './watched.ts'
import type { Write } from './writes.ts'

let t: Awaited<ReturnType<typeof testDatabase>>
let memory: ListingMemory
/** True while a list that was asked for is being read in the background. */
let isRenewing: () => boolean
/** Statements run since `memory` was made. */
let statements: string[]
/** Runs a statement of a list. */
let run: <T>(text: string, statement: () => Promise<T>) => Promise<T>
const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
async function open(sqliteFile?: string) {
  const watch = newWatch()
  run = (_, statement) => statement()
  watch.statement = (text, statement) => {
    statements?.push(text)
    return run(text, statement)
  }
  t = await testDatabase(undefined, watch, sqliteFile)
  memory = listingMemory()
  const { calls } = vi.spyOn(memory, 'renew').mock
  isRenewing = () => calls.some(([list]) => list.isRenewing)
  await t.db
    .insertInto('applications')
    .values(
      Array.from({ length: 43 }, (_, i) => ({
        application_sid: crypto.randomUUID(),
        name: `app ${String(i).padStart(2, '0')}`,
        account_sid: ACCOUNT,
        // three of a time each, so that ties are broken by the sid
        created_at: `2026-01-01 00:00:${String(Math.floor(i / 3)).padStart(2, '0')}`,
      })),
    )
    .execute()
  statements = []
}
/** On SQLite a file, for statements that run at the same time: in memory there is one connection. */
async function openFile() {
  await t.close()
  folder = mkdtempSync(join(tmpdir(), 'listing-'))
  await open(join(folder, 'a.db'))
}
let folder: string | undefined
beforeEach(async () => {
  // reads take no time, however slow the machine, unless a test says so
  vi.useFakeTimers({ toFake: ['performance'] })
  await open()
})
afterEach(async () => {
  vi.useRealTimers()
  await t.close()
  if (folder) rmSync(folder, { recursive: true })
  folder = undefined
})
const counts = () => statements.filter((text) => text.includes('count(*)')).length

it('reads a whole list within what its condition joins', async () => {
  await addElsewhere('of nobody')
  const list = listing({
    db: t.db,
    table: 'applications',
    sid: 'application_sid',
    sortable: ['application_sid'],
    query: {},
    matching: t.db
      .selectFrom('applications')
      .innerJoin('accounts', 'accounts.account_sid', 'applications.account_sid'),
    rows: t.db.selectFrom('applications').selectAll(),
    present: (rows) => rows,
  })
  let count = 0
  for await (const rows of list.all(memory)) count += rows.length
  expect(count).toBe(43)
})

let queries = 0
/** How long every read takes. Milliseconds. */
let slow = 0
const apps = (sort: string, filter?: string) => {
  const all = t.db.selectFrom('applications')
  return listing({
    db: t.db,
    table: 'applications',
    sid: 'application_sid',
    sortable: ['name', 'created_at'],
    query: { sort },
    matching: filter ? all.where('name', 'like', filter) : all,
    rows: t.db.selectFrom('applications').selectAll(),
    present(rows) {
      queries++
      if (slow > 0) vi.advanceTimersByTime(slow)
      return rows
    },
  })
}
const shuffled = (n: number) =>
  Array.from({ length: n }, (_, i) => i + 1).sort((a, b) => ((a * 7) % n) - ((b * 7) % n))

it.each(['name', '-name', 'created_at', '-created_at'])(
  'pages by %s from anywhere',
  async (sort) => {
    const whole: string[] = []
    for await (const batch of apps(sort).all(memory)) whole.push(...batch.map((a) => a.name))
    expect(whole).toHaveLength(43)
    expect(new Set(whole).size).toBe(43)
    for (const page of shuffled(9)) {
      const { data, total } = await apps(sort).page(page, 5, memory)
      expect(total).toBe(43)
      expect(data.map((a) => a.name)).toEqual(whole.slice((page - 1) * 5, page * 5))
    }
    expect((await apps(sort).page(10, 5, memory)).data).toEqual([])
  },
)

it('sorts positions on MariaDB where no index has the order, of pages that are not large', async () => {
  const sortsPositions = async (sort: string, size: number) => {
    statements = []
    await apps(sort).page(1, size, memory)
    return statements.find((text) => text.includes('list_keys'))!.includes('list_wide')
  }
  expect(await sortsPositions('created_at', 25)).toBe(t.kind === 'mysql')
  expect(await sortsPositions('created_at', 1_001)).toBe(false)
  expect(await sortsPositions('name', 25)).toBe(false)
})

it('reads rows fresh, drops deleted ones, and recounts after the cache expires', async () => {
  const [first, second] = (await apps('name').page(1, 2, memory)).data
  await t.db
    .updateTable('applications')
    .set({ name: 'app 00!' })
    .where('application_sid', '=', first!.application_sid)
    .execute()
  await t.db
    .deleteFrom('applications')
    .where('application_sid', '=', second!.application_sid)
    .execute()
  const stale = await apps('name').page(1, 2, memory)
  expect(stale).toMatchObject({ total: 43, data: [{ name: 'app 00!' }] })
  memory.forget()
  expect(await apps('name').page(1, 2, memory)).toMatchObject({
    total: 42,
    data: [{ name: 'app 00!' }, { name: 'app 02' }],
  })
})

it('keeps the caches of two servers separate', async () => {
  expect((await apps('name').page(1, 2, memory)).total).toBe(43)
  await t.db.deleteFrom('applications').where('name', '=', 'app 00').execute()
  expect((await apps('name').page(1, 2, memory)).total).toBe(43)
  expect((await apps('name').page(1, 2, listingMemory())).total).toBe(42)
})

it('shares one read among concurrent requests for a page', async () => {
  await apps('name').page(1, 5, memory)
  queries = 0
  const pages = await Promise.all(Array.from({ length: 10 }, () => apps('name').page(1, 5, memory)))
  expect(queries).toBe(1)
  expect(new Set(pages.map((p) => p.data[0]!.name))).toEqual(new Set(['app 00']))
})

it('lets others in between when many ask for different pages', async () => {
  slow = 2
  let turns = 0
  let done = false
  const count = () => {
    turns++
    if (!done) setImmediate(count)
  }
  count()
  await Promise.all(shuffled(20).map((page) => apps('name').page(page, 2, memory)))
  done = true
  slow = 0
  // two if nobody is let in. MariaDB answers several at once
  expect(turns).toBeGreaterThan(5)
})

it('caches lists of different filters separately', async () => {
  expect((await apps('name', 'app 0%').page(1, 5, memory)).total).toBe(10)
  expect((await apps('name', 'app 1%').page(1, 5, memory)).total).toBe(10)
  expect((await apps('name', 'none').page(1, 5, memory)).total).toBe(0)
})

it('reads an unknown page, and the total, once for all who ask at the same time', async () => {
  const pages = await Promise.all(Array.from({ length: 32 }, () => apps('name').page(1, 5, memory)))
  expect(new Set(pages.map((p) => JSON.stringify(p))).size).toBe(1)
  expect(statements).toHaveLength(2)
  // the last page is found from the end, which needs the total
  statements = []
  memory.forget()
  await Promise.all(Array.from({ length: 32 }, () => apps('name').page(9, 5, memory)))
  expect(statements).toHaveLength(2)
  statements = []
  await apps('name').page(9, 5, memory)
  expect(statements).toHaveLength(1)
})

describe('a whole list of few rows', () => {
  const all = async (sort: string) => {
    const rows: { name: string }[] = []
    for await (const batch of apps(sort).all(memory)) rows.push(...batch)
    return rows
  }

  it.each(['name', '-name', 'created_at', '-created_at'])(
    'is one statement the next time, in the same order by %s',
    async (sort) => {
      expect(await apps(sort).few(memory)).toBeUndefined()
      const before = await all(sort)
      statements = []
      const names = (rows: { name: string }[] | undefined) => rows?.map(({ name }) => name)
      expect(names(await apps(sort).few(memory))).toEqual(names(before))
      expect(statements).toHaveLength(1)
    },
  )

  it('is read once for all who ask at the same time, and anew after a write', async () => {
    await all('name')
    statements = []
    const asked = Array.from({ length: 32 }, () => apps('name').few(memory))
    const [first, ...others] = await Promise.all(asked)
    expect(statements).toHaveLength(1)
    for (const rows of others) expect(rows).toBe(first)
    await t.db
      .updateTable('applications')
      .set({ name: 'zzz' })
      .where('name', '=', 'app 00')
      .execute()
    expect((await apps('name').few(memory))!.at(-1)!.name).toBe('zzz')
  })

  it('is read in batches again once it has more', async () => {
    await all('name')
    const values = Array.from({ length: 500 }, (_, i) => ({
      application_sid: crypto.randomUUID(),
      name: `more ${i}`,
      account_sid: ACCOUNT,
    }))
    await t.db.insertInto('applications').values(values).execute()
    expect(await apps('name').few(memory)).toBeUndefined()
    expect(await all('name')).toHaveLength(543)
    expect(await apps('name').few(memory)).toBeUndefined()
  })
})

it('remembers only so many rows, of what was asked for last', async () => {
  memory = listingMemory({ max_positions: 20 })
  const isRemembered = async (page: number, filter?: string) => {
    statements = []
    await apps('name', filter).page(page, 5, memory)
    return !statements.some((text) => text.includes('list_keys'))
  }
  for (const page of [1, 2, 3, 4]) expect(await isRemembered(page)).toBe(false)
  for (const page of [1, 2, 3, 4]) expect(await isRemembered(page)).toBe(true)
  expect(await isRemembered(5)).toBe(false)
  expect(await isRemembered(5)).toBe(true)
  expect(await isRemembered(2)).toBe(true)
  expect(await isRemembered(1)).toBe(false)
  for (const page of [1, 2]) await isRemembered(page, 'app 0%')
  expect(await isRemembered(2, 'app 0%')).toBe(true)
  expect(await isRemembered(3)).toBe(false)
  expect(await isRemembered(1)).toBe(true)
})

it('counts once for all orders and sizes of pages', async () => {
  await apps('name').page(1, 5, memory)
  await apps('-created_at').page(2, 7, memory)
  expect(await apps('name').total(memory)).toBe(43)
  expect(counts()).toBe(1)
})

it('keeps the total of a list that only its order may change', async () => {
  await apps('name').page(1, 5, memory)
  statements = []
  memory.wrote([{ table: 'applications', change: 'update', columns: ['name'] }])
  await apps('name').page(1, 5, memory)
  expect(counts()).toBe(0)
  expect(statements.some((text) => text.includes('list_keys'))).toBe(true)
})

it('finds far pages from those that were read before, for half a minute', async () => {
  await t.db
    .insertInto('applications')
    .values(
      Array.from({ length: 3_000 }, (_, i) => ({
        application_sid: crypto.randomUUID(),
        name: `more ${String(i).padStart(4, '0')}`,
      })),
    )
    .execute()
  const page = async (n: number) => {
    statements = []
    const [first] = (await apps('name').page(n, 5, memory)).data
    expect(first!.name).toBe(`more ${String((n - 1) * 5 - 43).padStart(4, '0')}`)
    return statements.some((text) => text.includes('>=')) ? 'from a key' : 'from an end'
  }
  expect(await page(300)).toBe('from an end')
  vi.advanceTimersByTime(5_000)
  expect(await page(302)).toBe('from a key')
  // as old as the key
  vi.advanceTimersByTime(20_000)
  expect(await page(304)).toBe('from a key')
  vi.advanceTimersByTime(6_000)
  expect(await page(306)).toBe('from an end')
})

describe('what takes long on SQLite', () => {
  let apart: string[]
  const slowRead: SlowRead = async (query) => {
    apart.push(query.sql)
    return (await t.db.executeQuery(query)).rows
  }
  beforeEach(() => {
    apart = []
  })
  const first = async () => {
    memory.forget()
    apart = []
    expect(await totalAnd()).toEqual([43, 'app 00'])
    return apart.length
  }

  it('is read apart the next time', async () => {
    memory = listingMemory({ slowRead, quick_ms: -1 })
    expect(await first()).toBe(0)
    expect(await first()).toBe(2)
    expect(await first()).toBe(2)
  })

  it('is read apart at once in a large database, until it is known to be quick', async () => {
    memory = listingMemory({ slowRead, isLarge: () => true, quick_ms: 10_000 })
    expect(await first()).toBe(2)
    expect(await first()).toBe(0)
  })

  it('is always read apart in a large database if it is a search, whose texts differ', async () => {
    let isLarge = false
    memory = listingMemory({ slowRead, isLarge: () => isLarge, quick_ms: 10_000 })
    const search = async (filter: string) => {
      apart = []
      await apps('name', filter).page(1, 5, memory)
      return apart.length
    }
    expect(await search('app 0%')).toBe(0)
    isLarge = true
    expect(await search('app 1%')).toBe(2)
    expect(await search('app 2%')).toBe(2)
  })

  it.skipIf(process.env.TEST_DATABASE === 'mysql')('is read apart for a whole list', async () => {
    memory = listingMemory({ slowRead, isLarge: () => true })
    apart = []
    const whole: unknown[] = []
    for await (const rows of apps('name', 'app%').all(memory)) whole.push(...rows)
    expect(whole).toHaveLength(43)
    expect(apart).toHaveLength(1)
  })
})

const addElsewhere = (name: string) =>
  t.db.insertInto('applications').values({ application_sid: crypto.randomUUID(), name }).execute()
const totalAnd = async (page = 1) => {
  const { total, data } = await apps('name').page(page, 5, memory)
  return [total, data[0]?.name]
}
const totalAndFirst = () => totalAnd()

describe('what other processes write', () => {
  const later = (ms: number) => vi.advanceTimersByTime(ms)
  /** Asks until it is there. `vi.waitFor` would let the time pass after which it is read at once. */
  const renewed = () => expect.poll(totalAndFirst, { interval: 1 }).toEqual([44, 'aaa'])
  beforeEach(async () => {
    await totalAnd()
    await addElsewhere('aaa')
    statements = []
  })

  it('is missing for a second', async () => {
    later(900)
    expect(await totalAnd()).toEqual([43, 'app 00'])
    expect(isRenewing()).toBe(false)
    expect(statements.filter((text) => !text.startsWith('insert'))).toHaveLength(1)
  })

  it('is read in the background after a second, by the first who asks', async () => {
    later(1_100)
    statements = []
    const answers = await Promise.all(Array.from({ length: 32 }, () => totalAnd()))
    expect(new Set(answers.map(String))).toEqual(new Set(['43,app 00']))
    await renewed()
    expect(counts()).toBe(1)
  })

  it('is read after two seconds before anything is shown', async () => {
    later(2_100)
    expect(await totalAnd()).toEqual([44, 'aaa'])
  })

  it('reads nothing while nobody asks', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'setTimeout'] })
    memory = listingMemory()
    await totalAnd()
    statements = []
    await vi.advanceTimersByTimeAsync(10_000)
    await nextTurn()
    expect(statements).toEqual([])
  })

  it('is renewed later if it could not be read', async () => {
    later(1_100)
    const failing = vi.spyOn(memory, 'renew').mockImplementation((list) => {
      list.isRenewing = false
    })
    expect(await totalAnd()).toEqual([43, 'app 00'])
    failing.mockRestore()
    expect(await totalAnd()).toEqual([43, 'app 00'])
    await renewed()
  })
})

it('shows what takes long to read for up to a minute, and reads it again now and then', async () => {
  const slowly = async () => {
    memory.forget()
    const asked = totalAnd()
    // while they are counted: their order is quick to read
    vi.advanceTimersByTime(100)
    await asked
    statements = []
  }
  await slowly()
  await addElsewhere('aaa')
  vi.advanceTimersByTime(1_800)
  expect(await totalAnd()).toEqual([43, 'app 00'])
  await expect.poll(isRenewing).toBe(false)
  // not yet: it takes a twentieth of the time at most
  expect(counts()).toBe(0)
  vi.advanceTimersByTime(57_000)
  expect(await totalAnd()).toEqual([43, 'aaa'])
  await expect.poll(totalAndFirst).toEqual([44, 'aaa'])
  await slowly()
  await addElsewhere('aa')
  vi.advanceTimersByTime(61_000)
  expect(await totalAnd()).toEqual([45, 'aa'])
})

it('does not read the last page again and again while a total that took long is fresh', async () => {
  const last = () => apps('name').page(9, 5, memory)
  const asked = last()
  vi.advanceTimersByTime(100)
  expect((await asked).data).toHaveLength(3)
  vi.advanceTimersByTime(1_500)
  statements = []
  for (let i = 0; i < 3; i++) {
    await last()
    await expect.poll(isRenewing).toBe(false)
  }
  // the rows only
  expect(statements).toHaveLength(3)
})

describe('what other processes write', () => {
  const addUnheard = (name: string) =>
    t.db
      .insertInto('applications')
      .values({ application_sid: crypto.randomUUID(), name, account_sid: ACCOUNT })
      .execute()

  it('is heard before what is remembered is shown', async () => {
    const unheard: Write[] = []
    memory = listingMemory({
      async heard() {
        memory.wrote(unheard.splice(0))
      },
    })
    expect((await apps('name').page(1, 5, memory)).total).toBe(43)
    expect(await apps('name').total(memory)).toBe(43)
    await addUnheard('a new one')
    unheard.push({ table: 'applications', change: 'insert' })
    const { data, total } = await apps('name').page(1, 5, memory)
    expect([data[0]!.name, total]).toEqual(['a new one', 44])
    await addUnheard('another')
    unheard.push({ table: 'applications', change: 'insert' })
    expect(await apps('name').total(memory)).toBe(45)
  })

  it('makes it forget what it remembers, if it cannot be heard', async () => {
    let isHeard = true
    memory = listingMemory({
      async heard() {
        if (!isHeard) throw new Error('not heard')
      },
    })
    expect((await apps('name').page(1, 5, memory)).total).toBe(43)
    await addUnheard('a new one')
    isHeard = false
    expect((await apps('name').page(1, 5, memory)).total).toBe(44)
  })
})

describe('what this process writes', () => {
  const write = (
    table: string | undefined,
    change: 'insert' | 'update' | 'delete',
    columns?: readonly string[],
  ) => memory.wrote([{ table, change, columns }])
  const isForgotten = async () => {
    statements = []
    await apps('name', 'app%').page(1, 5, memory)
    return counts() > 0
  }
  beforeEach(isForgotten)

  it.each([
    ['applications', 'insert'],
    ['applications', 'delete'],
    ['applications', 'update'],
    ['applications', 'update', ['name']],
    [undefined, 'update'],
  ] as const)(
    'to %s by %s is shown at once (%s)',
    async (table, change, columns?: readonly string[]) => {
      write(table, change, columns)
      expect(await isForgotten()).toBe(true)
    },
  )

  it.each([
    ['applications', 'update', ['call_hook_sid']],
    ['switchroom_sessions', 'insert'],
    ['switchroom_audit', 'insert'],
    ['users', 'delete'],
  ] as const)(
    'to %s by %s leaves it alone (%s)',
    async (table, change, columns?: readonly string[]) => {
      write(table, change, columns)
      expect(await isForgotten()).toBe(false)
    },
  )

  it('to a table empties those that go with it', async () => {
    const permissions = () =>
      listing({
        db: t.db,
        table: 'user_permissions',
        sid: 'user_permissions_sid',
        sortable: ['user_sid'],
        query: {},
        matching: t.db.selectFrom('user_permissions'),
        rows: t.db.selectFrom('user_permissions').selectAll(),
        present: (rows) => rows,
      }).page(1, 5, memory)
    await permissions()
    statements = []
    write('users', 'delete')
    await permissions()
    expect(counts()).toBe(1)
  })

  it('is not missing from a read that began before', async () => {
    memory.forget()
    statements = []
    const before = apps('name', 'app%').page(1, 5, memory)
    write('applications', 'insert')
    const after = apps('name', 'app%').page(1, 5, memory)
    await Promise.all([before, after])
    expect(counts()).toBe(2)
    expect(await isForgotten()).toBe(false)
  })

  it('elsewhere lets nobody share the rows of a read that began before', async () => {
    queries = 0
    let after: Promise<unknown> | undefined
    run = (_, statement) => {
      write('sip_gateways', 'insert')
      after ??= apps('name', 'app%').page(1, 5, memory)
      return statement()
    }
    await apps('name', 'app%').page(1, 5, memory)
    await after
    expect(queries).toBe(2)
  })
})

describe('rows that this process adds', () => {
  const sidOf = (n: number) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`
  /** Adds one with this name and sid, and tells it. */
  async function add(name: string, sid: string = crypto.randomUUID(), of: Partial<Write> = {}) {
    await t.db.insertInto('applications').values({ application_sid: sid, name }).execute()
    told(sid, of)
  }
  const told = (sid: string, of: Partial<Write> = {}) =>
    memory.wrote([{ table: 'applications', change: 'insert', sids: [sid], ...of }])
  const found = () => statements.some((text) => text.includes('list_keys'))
  /** The total and names on the first page of a list, and `found` if its rows were looked up again. */
  async function firstPage(sort = 'name', filter?: string, size = 3) {
    statements = []
    const { total, data } = await apps(sort, filter).page(1, size, memory)
    return [total, data.map(({ name }) => name).join(), found() ? 'found' : 'known']
  }

  it('leave the first page where it is if they come after it', async () => {
    await firstPage()
    for (const [i, name] of ['b', 'zz', 'app 03', 'APP 04'].entries()) {
      await add(name)
      expect(await firstPage()).toEqual([44 + i, 'app 00,app 01,app 02', 'known'])
    }
    // rows known to come after it are not read again
    expect(String(statements.find((text) => text.includes('is_after')))).toMatch(/ in \(\?\)/)
    await add('app 015')
    expect(await firstPage()).toEqual([48, 'app 00,app 01,app 015', 'found'])
    await add('zzz')
    expect(await firstPage()).toEqual([49, 'app 00,app 01,app 015', 'known'])
  })

  describe('after a total that took long', () => {
    const isWholeCount = (text: string) => text.includes('count(*)') && !text.includes(' in (')
    const wholeCounts = () => statements.filter(isWholeCount).length
    const countSlowly = async () => {
      run = async (text, statement) => {
        if (isWholeCount(text)) vi.advanceTimersByTime(100)
        return statement()
      }
      await firstPage()
      await firstPage('name', 'app%')
      run = (_, statement) => statement()
    }
    beforeEach(countSlowly)
    const total = async (filter?: string) => {
      const [number] = await firstPage('name', filter)
      return [number, wholeCounts()]
    }

    it('are added to it where they belong to the list', async () => {
      await add('zz')
      expect(await total()).toEqual([44, 0])
      expect(await total('app%')).toEqual([43, 0])
      await add('app x')
      await add('app y')
      expect(await total('app%')).toEqual([45, 0])
      expect(await total()).toEqual([46, 0])
      expect(await total()).toEqual([46, 0])
    })

    it('are counted with all others once they are many', async () => {
      const sids = Array.from({ length: 1_001 }, () => crypto.randomUUID())
      await add('zz')
      memory.wrote([{ table: 'applications', change: 'insert', sids }])
      expect(await total()).toEqual([44, 1])
    })

    it('are counted once although they are told while all are counted again', async () => {
      await openFile()
      await countSlowly()
      vi.advanceTimersByTime(2_500)
      let isTold = false
      run = async (text, statement) => {
        if (isWholeCount(text) && !isTold) {
          isTold = true
          await add('zz')
        }
        return statement()
      }
      expect((await total())[0]).toBe(43)
      await expect.poll(() => isTold && !isRenewing()).toBe(true)
      expect((await total())[0]).toBe(44)
    })

    it('are counted anew with another change', async () => {
      await add('zz')
      memory.wrote([{ table: 'applications', change: 'delete' }])
      expect(await total()).toEqual([44, 1])
    })
  })

  it('come before or after a row of the same name by their sids', async () => {
    for (const n of [1, 2, 6]) await add('a', sidOf(n))
    await firstPage('name')
    await add('a', sidOf(7))
    expect(await firstPage('name')).toEqual([47, 'a,a,a', 'known'])
    await add('A', sidOf(5))
    expect(await firstPage('name')).toEqual([48, 'a,a,A', 'found'])
    await firstPage('-name', 'a')
    expect(await firstPage('-name', 'a')).toEqual([5, 'a,a,A', 'known'])
    await add('a', sidOf(4))
    expect(await firstPage('-name', 'a')).toEqual([6, 'a,a,A', 'known'])
    await add('A', sidOf(8))
    expect(await firstPage('-name', 'a')).toEqual([7, 'A,a,a', 'found'])
  })

  it('are compared by time in a list in order of time', async () => {
    await firstPage('-created_at')
    const of = (created_at: string) => ({ application_sid: crypto.randomUUID(), created_at })
    for (const [time, how] of [
      ['2025-12-31 23:59:59', 'known'],
      ['2026-01-01 00:00:12', 'known'],
      ['2026-01-01 00:00:15', 'found'],
    ]) {
      const row = of(time!)
      await t.db
        .insertInto('applications')
        .values({ name: time!, ...row })
        .execute()
      told(row.application_sid)
      const [, names, was] = await firstPage('-created_at')
      expect([String(names).includes(time!), was]).toEqual([how === 'found', how])
    }
  })

  it('are counted, and shown, only where they belong', async () => {
    await firstPage('name', 'app 4%')
    await add('aaa')
    expect(await firstPage('name', 'app 4%')).toEqual([3, 'app 40,app 41,app 42', 'known'])
    await add('app 4')
    expect(await firstPage('name', 'app 4%')).toEqual([4, 'app 4,app 40,app 41', 'found'])
  })

  it('are at the end of a page that has room for them', async () => {
    await firstPage('name', 'app 4%', 5)
    await add('app 43')
    expect(await firstPage('name', 'app 4%', 5)).toEqual([
      4,
      'app 40,app 41,app 42,app 43',
      'found',
    ])
    await firstPage('name', 'none%')
    await add('none')
    expect(await firstPage('name', 'none%')).toEqual([1, 'none', 'found'])
  })

  it('move every other page', async () => {
    const second = async () => (await apps('name').page(2, 3, memory)).data[0]!.name
    await firstPage()
    expect(await second()).toBe('app 03')
    await add('aaa')
    expect(await second()).toBe('app 02')
    await add('aab')
    // not found from where the first page was
    expect(await second()).toBe('app 01')
  })

  it('may be among the rows of a page already', async () => {
    const sid = crypto.randomUUID()
    await t.db.insertInto('applications').values({ application_sid: sid, name: 'aaa' }).execute()
    const page = [44, 'aaa,app 00,app 01']
    expect(await firstPage()).toEqual([...page, 'found'])
    told(sid)
    expect(await firstPage()).toEqual([...page, 'known'])
  })

  it('are not missing from a page that is read while they are told', async () => {
    await openFile()
    let isTold = false
    run = async (text, statement) => {
      const result = await statement()
      if (!isTold && text.includes('list_keys')) {
        isTold = true
        await add('aaa')
      }
      return result
    }
    await firstPage()
    expect(isTold).toBe(true)
    expect(await firstPage()).toEqual([44, 'aaa,app 00,app 01', 'found'])
  })

  it.each([
    ['page', (text: string) => text.includes('list_value') && !text.includes('list_keys')],
    ['total', (text: string) => text.includes('count(*)')],
  ])('are not missing from a %s that is renewed while they are told', async (_, isIt) => {
    await openFile()
    await firstPage()
    vi.advanceTimersByTime(1_100)
    let isTold = false
    run = async (text, statement) => {
      const result = await statement()
      if (!isTold && isIt(text)) {
        isTold = true
        await add('aaa')
      }
      return result
    }
    await firstPage()
    await expect.poll(() => isTold && !isRenewing()).toBe(true)
    expect((await firstPage()).slice(0, 2)).toEqual([44, 'aaa,app 00,app 01'])
  })

  it('move a page that was found from the end while they are told', async () => {
    await openFile()
    const page = async () => (await apps('name').page(8, 5, memory)).data[0]!.name
    let sid: string | undefined
    run = async (text, statement) => {
      if (!sid && text.includes('list_keys')) {
        sid = crypto.randomUUID()
        const row = { application_sid: sid, name: 'zzz' }
        await t.db.insertInto('applications').values(row).execute()
      }
      return statement()
    }
    // as the total was counted before
    expect(await page()).toBe('app 36')
    told(sid!)
    expect(await page()).toBe('app 35')
  })

  it('move a page that was renewed from the end while they are told', async () => {
    await openFile()
    const page = async () => (await apps('name').page(8, 5, memory)).data[0]!.name
    await page()
    vi.advanceTimersByTime(1_100)
    let isTold = false
    run = async (text, statement) => {
      if (isTold || !text.includes('list_value') || text.includes('list_keys')) return statement()
      isTold = true
      const row = { application_sid: crypto.randomUUID(), name: 'zzz' }
      await t.db.insertInto('applications').values(row).execute()
      const result = await statement()
      told(row.application_sid)
      return result
    }
    await page()
    await expect.poll(() => isTold && !isRenewing()).toBe(true)
    expect(await page()).toBe('app 35')
  })

  it('let a page near the end be found from there', async () => {
    await openFile()
    let isTold = false
    run = async (text, statement) => {
      const result = await statement()
      if (!isTold && text.includes('count(*)')) {
        isTold = true
        await add('zzz')
      }
      return result
    }
    await apps('name').page(9, 5, memory)
    expect(statements.find((text) => text.includes('list_keys'))).toContain('desc')
  })

  it.each([
    ['by a statement that does not say which', { sids: undefined }],
    ['with another change', { change: 'update', columns: undefined }],
  ] as const)('make a list forgotten %s', async (_, of) => {
    await firstPage()
    await add('zzz', undefined, of)
    expect(await firstPage()).toEqual([44, 'app 00,app 01,app 02', 'found'])
  })

  it('make a list forgotten once they are many', async () => {
    await firstPage()
    const sids = Array.from({ length: 1_000 }, () => crypto.randomUUID())
    memory.wrote([{ table: 'applications', change: 'insert', sids }])
    expect((await firstPage())[2]).toBe('known')
    await add('zzz')
    expect((await firstPage())[2]).toBe('found')
  })

  it('make a list forgotten in which they decide about others', async () => {
    const withNamesake = () =>
      listing({
        db: t.db,
        table: 'applications',
        sid: 'application_sid',
        sortable: ['name'],
        query: {},
        matching: t.db
          .selectFrom('applications')
          .where(
            sql<boolean>`name in (select concat('a', substr(name, 2)) from applications where name like 'x%')`,
          ),
        rows: t.db.selectFrom('applications').selectAll(),
        present: (rows) => rows,
      }).page(1, 1, memory)
    await add('xpp 05')
    expect(await withNamesake()).toMatchObject({ total: 1, data: [{ name: 'app 05' }] })
    await add('xpp 04')
    expect(await withNamesake()).toMatchObject({ total: 2, data: [{ name: 'app 04' }] })
  })

  it('are counted without a look at those of other transactions', async () => {
    const isScanned = async () => {
      await firstPage()
      return statements.find((text) => text.includes('count(*)'))!.endsWith('force index (primary)')
    }
    expect(await isScanned()).toBe(false)
    await add('zzz')
    // a large table is not read as a whole to count for the first time
    expect(await isScanned()).toBe(t.kind === 'mysql')
  })
})

describe('a list that is written to all the time', () => {
  /** Statements that wait until they are let go, by their text. */
  let held: { text: string; go: () => void }[]
  let most: Map<string, number>
  beforeEach(async () => {
    await openFile()
    held = []
    most = new Map()
    run = async (text, statement) => {
      if (!text.startsWith('select')) return statement()
      const { promise, resolve } = Promise.withResolvers<void>()
      const own = { text, go: resolve }
      held.push(own)
      most.set(text, Math.max(most.get(text) ?? 0, held.filter((s) => s.text === text).length))
      await promise
      const result = await statement()
      held.splice(held.indexOf(own), 1)
      return result
    }
  })
  const add = async (name: string) => {
    await addElsewhere(name)
    memory.wrote([{ table: 'applications', change: 'insert' }])
  }
  const letGo = async (asked: Promise<unknown>[]) => {
    let running = true
    const done = Promise.allSettled(asked).finally(() => {
      running = false
    })
    while (running) {
      for (const { go } of held) go()
      await nextTurn()
    }
    return done
  }

  it.each([1, 2, 9])(
    'is read one at a time, and by nobody before they asked for it (page %i)',
    async (page) => {
      const asked: Promise<unknown[]>[] = []
      for (const name of ['aa 1', 'aa 2', 'aa 3', 'aa 4']) {
        await add(name)
        asked.push(totalAnd(page))
        await expect.poll(() => held.length, { interval: 1 }).toBeGreaterThan(0)
      }
      await letGo(asked)
      const [, ...others] = await Promise.all(asked)
      const first = page === 1 ? 'aa 1' : `app ${String(page * 5 - 9).padStart(2, '0')}`
      expect(others).toEqual(Array(3).fill([47, first]))
      expect([...most.values()].filter((count) => count > 1)).toEqual([])
      // the first one's, and one for the three who asked while it ran
      expect(counts()).toBe(2)
    },
  )

  it('tells all who share a read that it failed, and nobody else', async () => {
    const answers: Promise<unknown>[] = [totalAnd()]
    await expect.poll(() => held.length, { interval: 1 }).toBeGreaterThan(0)
    await add('aa 1')
    answers.push(totalAnd(), totalAnd())
    let fails = 0
    const through = run
    run = (text, statement) => {
      if (!text.startsWith('select count')) return statement()
      fails++
      return Promise.reject(new Error('no'))
    }
    const outcomes = await letGo(answers)
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(fails).toBe(1)
    run = through
    const again = totalAnd()
    await letGo([again])
    expect(await again).toEqual([44, 'aa 1'])
  })
})
