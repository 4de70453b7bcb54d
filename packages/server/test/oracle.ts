import { createRequire } from 'node:module'
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
    promise: () => {
      query: (sql: string, values: unknown[]) => Promise<[unknown[], unknown]>
      end: () => Promise<void>
    }
  }
}

/** The platform's own data layer on the test database, as its call-handling components load it. */
export function oracle() {
  const silent = { info() {}, debug() {}, error() {}, warn() {} }
  const open = createRequire(import.meta.url)('@jambonz/db-helpers') as (
    options: object,
    logger: object,
  ) => Lookups
  const { kind: _, ...database } = mysqlAt('test')
  const lookups = open({ ...database, connectionLimit: 4 }, silent)
  return { ...lookups, close: () => lookups.pool.promise().end() }
}
