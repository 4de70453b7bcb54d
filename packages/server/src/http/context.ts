import type { Call, Proof } from '@switchroom/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Bulk } from '../db/bulk.ts'
import type { Db } from '../db/open.ts'
import type { Watch } from '../db/watched.ts'
import type { Live } from '../live/live.ts'
import type { Replica } from '../live/replica.ts'
import type { PlatformState } from '../live/state.ts'
import type { Mail } from '../outbound/mail.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { Payments } from '../outbound/stripe.ts'
import type { Health } from '../parts/registry.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { ProviderModules } from '../sms-modules/modules.ts'
import type { Stores } from '../stores/open.ts'
import type { KeptWords } from '../stores/traces/store.ts'
import type { VersionsOf } from '../stores/voice/store.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { Memory } from './memory.ts'
import type { RequestMeta, Scope } from './scope.ts'
import type { Tokens } from './tokens.ts'

export type RemovedAccount = { account_sid: string; stripe_customer_id: string | null }

/** The services that handlers may use. Built once in main.ts, and smaller ones in tests. */
export type Context = {
  config: Config
  db: Db
  /** Runs a large transaction while others can still read. */
  bulk: Bulk
  /** Use of the database's connections. */
  databaseUse: Watch
  /** Undefined unless the operator names one. */
  replica?: Replica | undefined
  /** True if this database has a table or column that only some platform versions have. */
  schemaHas: (table: string, column?: string) => boolean
  live: Live
  /** Calls and registered devices, as the platform's components keep them in Redis. */
  state: PlatformState
  /** Recent calls, alerts, traces, captures, logs and recordings. */
  stores: Stores
  words: KeptWords
  /** Tells the versions by which accounts split figures. */
  versionsOf: VersionsOf
  tokens: Tokens
  box: SecretBox
  /** Undefined when no mail server is configured. */
  mail: Mail | undefined
  outbound: Outbound
  /** SMS provider modules that the operator has installed. */
  modules: ProviderModules
  /** Undefined when no payment provider is configured. */
  payments: Payments | undefined
  log: FastifyBaseLogger
  /** The state of every part that this server depends on. */
  health: Health
  memory: Memory
  /** Undefined unless the operator collects this server's own traces. */
  tracing?: Tracing | undefined
  /** Throws unless it is this person who asks, not somebody with their token. Issues lie below the member `proof`. */
  requireOwnProof: (
    by: { ctx: Context; scope: Scope; meta: RequestMeta },
    proof: Proof | undefined,
  ) => Promise<void>
  /** Hooks of other wings, run in this order in the transaction that deletes an account. */
  onAccountRemoved: ((tx: Db, account: RemovedAccount) => Promise<void>)[]
  /** Hooks of other wings, run in the transaction that deletes a service provider. */
  onProviderRemoved: ((tx: Db, service_provider_sid: string) => Promise<void>)[]
  /** Hooks of other wings, run in the transaction that deletes an application. */
  onApplicationRemoved: ((tx: Db, application_sid: string) => Promise<void>)[]
  /** Hooks of other wings, run in the transaction that gives an application to another account. */
  onApplicationMoved: ((tx: Db, application_sid: string, account_sid: string) => Promise<void>)[]
  /** Hooks of other wings, run once the recording of a call is deleted. */
  onRecordingRemoved: ((
    ctx: Context,
    key: { account_sid: string; call_sid: string },
    call: Call,
  ) => Promise<void>)[]
}
