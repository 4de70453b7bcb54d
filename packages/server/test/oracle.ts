import { createRequire } from 'node:module'
import { vi } from 'vitest'
import { mysqlAt } from './database.ts'

type Lookups = {
  lookupCarrierByAccountLcr: (account: string, number: string) => Promise<string | undefined>
  lookupOutboundCarrierForAccount: (account: string) => Promise<string | undefined>
  lookupSipGatewaysByCarrier: (
    carrier: string,
  ) => Promise<{ sip_gateway_sid: string; outbound: number }[]>
  lookupAppByPhoneNumber: (
    number: string,
    carrier: string,
  ) => Promise<{ application_sid: string } | null>
  /** The database access of components with queries of their own. */
  pool: {
    on: (event: 'acquire' | 'release', listener: () => void) => void
    promise: () => {
      query: (sql: string, values: unknown[]) => Promise<[unknown[], unknown]>
      end: () => Promise<void>
    }
  }
}

/** The platform's own data layer on the test database, as its call-handling components load it. */
export function oracle() {
  const silent = { info() {}, debug() {}, error() {}, warn() {} }
  const open: (options: object, logger: object) => Lookups = createRequire(import.meta.url)(
    '@jambonz/db-helpers',
  )
  const { kind: _, ...database } = mysqlAt('test')
  const lookups = open({ ...database, connectionLimit: 4 }, silent)
  let held = 0
  lookups.pool.on('acquire', () => {
    held += 1
  })
  lookups.pool.on('release', () => {
    held -= 1
  })
  async function close() {
    // it keeps its first connection, and throws if that is not there before the pool is closed
    await vi.waitUntil(() => held > 0, { timeout: 60_000, interval: 5 })
    await lookups.pool.promise().end()
  }
  return { ...lookups, close }
}
