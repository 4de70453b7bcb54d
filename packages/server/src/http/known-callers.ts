import { hash } from 'node:crypto'
import type { ProgramAccess, ProgramUse, TokenClaims } from '@switchroom/contract'
import type { WriteListener } from '../db/writes.ts'
import type { Live } from '../live/live.ts'
import { Failure } from './failure.ts'
import type { Scope } from './scope.ts'
import { isSessionKey } from './tokens.ts'

/** Time for which another process may still accept access that this one has just ended. */
const MAX_AGE_MS = 1_000
const MAX_KNOWN = 2_000

type Reading<Facts> = { facts: Promise<Facts>; began: number }

/** Session of a token, with its user and account. */
export type KnownSession = {
  session_sid: string
  /** True if the session has not ended, on the platform's allow-list either. */
  isOpen: boolean
  last_seen_at: number
  force_change: boolean
  user_is_active: number
  account_sid: string | null
  service_provider_sid: string | null
  account_is_active: number | null
  account_provider_sid: string | null
  /** Asked only where it matters. */
  hasFactor: boolean
}

/** Access token of a program, with its session and program. */
export type KnownProgram = {
  claims: TokenClaims
  session: KnownSession
  program: NonNullable<Scope['program']>
  access: ProgramAccess
  use: ProgramUse
  expires_at: number
}

/** Cache of who a token or key stands for, as the database and the allow-list said within the last second. */
export type KnownCallers<Facts> = {
  /**
   * The result of `read` for this credential from less than a second ago, or from now. Concurrent requests share one
   * read. A rejection is never shared or kept.
   */
  get: (credential: string, read: () => Promise<Facts>) => Promise<Facts>
  /** A read that began before keeps nothing. */
  forget: () => void
}

export function knownCallers<Facts>(now = () => performance.now()): KnownCallers<Facts> {
  const known = new Map<string, Reading<Facts>>()
  return {
    async get(credential, read) {
      // tokens and keys themselves stay no longer in memory than their request
      const key = hash('sha256', credential, 'base64url')
      const kept = known.get(key)
      if (kept && now() - kept.began < MAX_AGE_MS)
        return kept.facts.catch((e) => {
          if (isRefusal(e)) return read()
          throw e
        })
      const reading = { began: now(), facts: read() }
      known.delete(key)
      if (known.size >= MAX_KNOWN) known.delete(known.keys().next().value!)
      known.set(key, reading)
      try {
        return await reading.facts
      } catch (e) {
        if (known.get(key) === reading) known.delete(key)
        throw e
      }
    },
    forget: () => known.clear(),
  }
}

const isRefusal = (e: unknown) => e instanceof Failure && e.code !== 'unavailable'

/**
 * The tables that decide who a token or key stands for. `added`: whether new rows count too; a new user, account
 * or session changes nothing for one that is known. `except`: columns that are written all the time and decide
 * nothing.
 */
const DECIDING: Record<string, { added?: true; except?: readonly string[] }> = {
  users: {},
  accounts: {},
  api_keys: { except: ['last_used'] },
  switchroom_api_keys: { added: true, except: ['last_used_ip'] },
  switchroom_sessions: { except: ['last_seen_at', 'last_ip', 'ends_at'] },
  switchroom_program_tokens: {},
  switchroom_totp: { added: true, except: ['last_step'] },
  switchroom_passkeys: { added: true, except: ['counter', 'last_used_at'] },
}

/** Forgets callers whenever this process writes to the rows behind them. */
export const forgettingOnWrites =
  (forget: () => void): WriteListener =>
  (writes) => {
    const decides = writes.some(({ table, change, columns }) => {
      if (table === undefined) return true
      const deciding = DECIDING[table]
      if (!deciding) return false
      if (change === 'insert') return deciding.added ?? false
      return !columns?.every((column) => deciding.except?.includes(column))
    })
    if (decides) forget()
  }

/** The same store. Writes to the platform's allow-list forget callers. */
export function forgettingOnAllowList(live: Live, forget: () => void): Live {
  const done = async (work: Promise<void>, isAllowList: boolean) => {
    try {
      await work
    } finally {
      if (isAllowList) forget()
    }
  }
  return {
    ...live,
    within: (tx) => forgettingOnAllowList(live.within(tx), forget),
    remove: (...keys) => done(live.remove(...keys), keys.some(isSessionKey)),
  }
}
