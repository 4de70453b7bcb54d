import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import type { Db } from './db/open.ts'
import type { Live } from './live/live.ts'
import type { PlatformState } from './live/state.ts'
import type { Mail } from './mail.ts'
import type { ProviderModules } from './messaging/modules.ts'
import type { Outbound } from './outbound/outbound.ts'
import type { SecretBox } from './secret-box.ts'
import type { Tokens } from './session/tokens.ts'
import type { Stores } from './stores/open.ts'
import type { Payments } from './subscriptions/stripe.ts'

/** What handlers may reach. Made once in main.ts, and again, smaller, in tests. */
export type Context = {
  config: Config
  db: Db
  /** Whether this database has a table or column that not every platform has. */
  has: (table: string, column?: string) => boolean
  live: Live
  /** Calls and devices as the platform's components keep them. */
  state: PlatformState
  /** What the platform's components record. */
  stores: Stores
  tokens: Tokens
  box: SecretBox
  /** Undefined while no mail server is set up. */
  mail: Mail | undefined
  outbound: Outbound
  /** What the operator has installed to speak to SMS carriers. */
  modules: ProviderModules
  /** Undefined where no payment provider is set up. */
  payments: Payments | undefined
  log: FastifyBaseLogger
}
