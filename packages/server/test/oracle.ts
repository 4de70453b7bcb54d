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
  const require = createRequire(import.meta.url)
  // it keeps its first pool, which another file of this worker may have closed
  for (const file of Object.keys(require.cache))
    if (file.includes('/@jambonz/db-helpers/')) delete require.cache[file]
  const open: (options: object, logger: object) => Lookups = require('@jambonz/db-helpers')
  const { kind: _, ...database } = mysqlAt('test')
  const lookups = open({ ...database, connectionLimit: 4 }, silent)
  return { ...lookups, close: () => lookups.pool.promise().end() }
}
