import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Db } from '../../src/db/open.ts'
import { chosen } from '../database.ts'
import { type StripeStandIn, stripeStandIn } from '../stand-ins/stripe.ts'
import { ask, endpoints, type Line } from './lines.ts'
import { addManyRows } from './many-rows.ts'
import { byWorld, worlds } from './worlds.ts'

/**
 * Rows of its tables that a request makes the database read, in an account that has many: the cost of a request for
 * everybody, whatever the clock says. The platform's tables keep their own indexes.
 */
const NUMBERS = 4_000
const CLIENTS = NUMBERS / 10
const APPLICATIONS = NUMBERS / 20
const MOST = 300

/** Those that read more, and why. */
const MORE: Record<string, { most: number; why: string }> = {
  'search.find': {
    most: 2 * NUMBERS,
    why: 'the insides of names and numbers, in so many as a search may',
  },
  'phoneNumbers.list ?page=1&filter=word': {
    most: 2 * NUMBERS + 2 * APPLICATIONS,
    why: 'names of accounts, applications and carriers too',
  },
  'routeSimulations.inbound': { most: NUMBERS, why: 'any number of a carrier may be a pattern' },
  'serviceProviders.remove': { most: NUMBERS, why: 'it says how many numbers keep it from going' },
  'clients.create': { most: CLIENTS, why: 'usernames have no index: those of the account' },
  'gettingStarted.view': { most: APPLICATIONS, why: 'which of its applications has a number' },
}

type Way = (typeof endpoints)[number]

/** A page and a search of each list: a whole list and an export read all that is in them. */
function* waysToCall(one: Way): Generator<Way> {
  const fields = one.e.query instanceof z.ZodObject ? Object.keys(one.e.query.shape) : []
  if (!fields.includes('page')) {
    if (!one.e.list && !one.e.file) yield one
    return
  }
  if (one.e.file) return
  const page: Record<string, string> = { page: '1' }
  for (const more of fields.includes('filter') ? [page, { ...page, filter: 'word' }] : [page]) {
    const query: Line['query'] = (w) => ({ ...one.line.query?.(w), ...more })
    const title = `${one.title} ?${new URLSearchParams(more)}`
    yield { ...one, title, line: { ...one.line, query } }
  }
}

/** A page counts the rows of its list and sorts them, as long as nothing of it is remembered. */
const ofPage = (title: string) => {
  const rows = { phoneNumbers: NUMBERS, clients: CLIENTS, applications: APPLICATIONS }
  return 2 * (rows[title.split('.')[0] as keyof typeof rows] ?? 0)
}

const AS = {
  account: 'a1',
  shared: 'a1',
  'signed-in': 'a1',
  provider: 'sp1',
  admin: 'admin',
  public: '',
} satisfies Record<Line['reach'], string>

let stripe: StripeStandIn
const opened = worlds(
  () => stripe,
  (t) => addManyRows(t, NUMBERS),
)
beforeAll(async () => {
  stripe = await stripeStandIn()
})
afterAll(async () => {
  await opened.close()
  await stripe.close()
})

async function rowsRead(db: Db) {
  const { rows } = await sql<{ n: number }>`select coalesce(sum(rows_read), 0) as n
    from information_schema.table_statistics where table_schema = database()`.execute(db)
  return Number(rows[0]!.n)
}

const ways = byWorld(endpoints.flatMap((one) => [...waysToCall(one)]))

it('makes exceptions of ways that exist', () => {
  const titles = ways.map(({ title }) => title)
  expect(Object.keys(MORE).filter((title) => !titles.includes(title))).toEqual([])
})

// SQLite tells nobody how many it reads: the statements are the same
describe.skipIf(chosen !== 'mysql')('the rows that MariaDB reads', () => {
  it.each(ways)('$title', async (one) => {
    const { t, w } = await opened.for(one)
    await sql`set global userstat = 1`.execute(t.db)
    const before = await rowsRead(t.db)
    await ask(t, AS[one.line.reach], one.e, one.line, w)
    const most = MORE[one.title]?.most ?? ofPage(one.title)
    expect((await rowsRead(t.db)) - before).toBeLessThanOrEqual(MOST + most)
  })
})
