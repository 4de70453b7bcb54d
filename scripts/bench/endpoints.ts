import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { costOf, type Endpoint } from '@switchroom/contract'
import { z } from 'zod'
import type { DatabaseConfig } from '../../packages/server/src/db/open.ts'
import type { Line } from '../../packages/server/test/endpoints/lines.ts'
import { stripeStandIn } from '../../packages/server/test/stand-ins/stripe.ts'
import type { Row } from './report.ts'
import { figure } from './report.ts'

/** Milliseconds that an endpoint may take, by what it does. */
const BUDGETS = {
  'one thing': 10,
  page: 25,
  'whole list or file': 100,
  change: 25,
  'takes turns': 250,
} as const
export type Class = keyof typeof BUDGETS

export function classOf(e: Endpoint, query: Record<string, unknown>): Class {
  if (e.file || e.download) return 'whole list or file'
  const cost = costOf(e, query)
  if (cost) return cost === 'lists' ? 'whole list or file' : 'takes turns'
  if (e.method !== 'GET') return 'change'
  return e.list ? 'page' : 'one thing'
}

/** Further queries of an endpoint: a page of a list, and the whole list. */
export const queriesOf = (e: Endpoint): Record<string, string>[] =>
  e.list && e.query instanceof z.ZodObject && 'page' in e.query.shape ? [{ page: '1' }, {}] : [{}]

/** Cost of one endpoint for a caller who may use it. */
export type Asked = {
  title: string
  class: Class
  who: string
  ms: number
  /** Processor time of this process, with SQLite and all threads. */
  processor_ms: number
  statements: number
}

/** Rows for the slowest endpoints, each with its slowest caller, and for all over their budget. */
export function slowest(asked: Asked[], most = 10): Row[] {
  const byTitle = Map.groupBy(asked, ({ title }) => title)
  const worst = [...byTitle.values()]
    .map((its) => its.reduce((one, other) => (other.ms > one.ms ? other : one)))
    .toSorted((one, other) => other.ms - one.ms)
  const isOver = (one: Asked) => one.ms > BUDGETS[one.class]
  return worst
    .filter((one, i) => i < most || isOver(one))
    .map((one) => ({
      endpoint: one.title,
      as: one.who,
      ms: figure(one.ms),
      'server CPU ms': figure(one.processor_ms),
      statements: String(one.statements),
      'what it does': one.class,
      'budget ms': String(BUDGETS[one.class]),
      reached: isOver(one) ? 'no' : 'yes',
    }))
}

const CALLERS = ['admin', 'sp1', 'a1', 'a1-viewer', 'a1-key']
/** The one caller of endpoints whose effect is undone afterwards. */
const OWNERS = {
  ...{ account: 'a1', shared: 'a1', 'signed-in': 'a1' },
  ...{ provider: 'sp1', admin: 'admin', public: '' },
} satisfies Record<Line['reach'], string>
/** Phone numbers per account. */
const NUMBERS = 4_000
/** Streams do not end. */
const isAsked = ({ e }: { e: Endpoint }) => !e.stream

/**
 * Calls every endpoint of the contract as each kind of caller, in this process: an administrator, a provider, an account
 * with 4,000 numbers, 400 SIP clients and 200 applications, its view-only user and its API key. The first call is not
 * counted. Reads are asked three times, of which the quickest counts. What takes away what others need is asked by one caller,
 * and put back. The database is the one in `TEST_DATABASE`.
 */
export async function askEvery(): Promise<Asked[]> {
  const { testApp } = await import('../../packages/server/test/app.ts')
  const { ask, endpoints } = await import('../../packages/server/test/endpoints/lines.ts')
  const { addManyRows } = await import('../../packages/server/test/endpoints/many-rows.ts')
  const { byWorld, worlds } = await import('../../packages/server/test/endpoints/worlds.ts')
  const { recordStatements } = await import('../../packages/server/test/statements.ts')
  const stripe = await stripeStandIn()
  const recorded = recordStatements()
  const opened = worlds(
    () => stripe,
    (t) => addManyRows(t, NUMBERS),
    (environment) => testApp(environment, undefined, recorded.tracing, { isChecked: false }),
  )
  const asked: Asked[] = []
  const ways = byWorld(endpoints.filter(isAsked)).flatMap((one) =>
    queriesOf(one.e).map((more) => ({ one, more })),
  )
  for (const { one, more } of ways) {
    const { e } = one
    const query: Line['query'] = (w) => ({ ...one.line.query?.(w), ...more })
    const line = { ...one.line, query }
    const title = more.page ? `${one.title} ?page=1` : one.title
    const askAs = async (who: string) => {
      const { t, w } = await opened.for(one)
      let status = 0
      const began = performance.now()
      const before = process.cpuUsage()
      const statements = await recorded.during(async () => {
        ;({ status } = await ask(t, who, e, line, w))
      })
      const ms = performance.now() - began
      const { user, system } = process.cpuUsage(before)
      return { status, ms, processor_ms: (user + system) / 1_000, statements: statements.length }
    }
    // rows are put back before each
    const callers = line.destroys || line.alone ? [OWNERS[line.reach]] : CALLERS
    await askAs(callers[0]!)
    for (const who of callers) {
      const first = await askAs(who)
      if (first.status >= 300) continue
      const again = e.method === 'GET' ? [await askAs(who), await askAs(who)] : []
      const { status: _, ...took } = [first, ...again].reduce((a, b) => (b.ms < a.ms ? b : a))
      asked.push({ title, class: classOf(e, more), who, ...took })
    }
  }
  await opened.close()
  await stripe.close()
  return asked
}

/** The same in a process of its own, whose database is empty and beside the one that is measured. */
export async function askEveryOn(config: DatabaseConfig): Promise<Asked[]> {
  const { TEST_REDIS_URL: _, ...rest } = process.env
  const mysql = config.kind === 'mysql' && `mysql://${config.user}@${config.host}:${config.port}`
  const child = fork(fileURLToPath(new URL('../bench-endpoints.ts', import.meta.url)), {
    env: { ...rest, TEST_DATABASE: config.kind, ...(mysql && { TEST_MYSQL_URL: mysql }) },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  // what it logs of refusals is no news, unless it ends early
  let said = ''
  child.stderr!.on('data', (chunk: Buffer) => {
    said = `${said}${chunk.toString()}`.slice(-2_000)
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The walk over the endpoints ended early: ${said}`)
  })
  const [asked] = (await Promise.race([once(child, 'message'), ended])) as [Asked[]]
  ended.catch(() => undefined)
  return asked
}
