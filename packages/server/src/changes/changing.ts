import { type AuditKind, CHANGED_MEANWHILE, type Endpoint } from '@switchroom/contract'
import type { Context } from '../context.ts'
import { isEmpty } from '../db/given.ts'
import type { Db } from '../db/open.ts'
import { transaction } from '../db/transaction.ts'
import { Failure } from '../http/failure.ts'
import { VOLATILE, versionOf } from '../http/version.ts'
import { type Entry, record, type Who } from './record.ts'
import { difference, withoutSecrets } from './secrets.ts'
import { refuseUntaken } from './untaken.ts'

type Thing = object

export type Change<T extends Thing> = {
  kind: AuditKind
  sid: string
  /** The thing as a single read shows it, or undefined while it is not there. */
  read: (tx: Db) => Promise<T | undefined>
  /** There is nothing to read before. */
  isNew?: true
  /** The endpoint whose versions callers may name. */
  view?: Endpoint
  /** As in `transaction`. A change of a thing queues with other changes of the same thing anyway. */
  lock?: string
}

type Asking = Who & { ctx: Context }

/**
 * Changes one thing in one transaction: refuses to overwrite a newer version than the caller has seen,
 * and adds what the change did to the audit log. Throws 409 `changed` with the thing as it is now.
 */
export function changing<T extends Thing, R>(
  who: Asking,
  change: Change<T>,
  work: (tx: Db, before: T | undefined) => Promise<R>,
): Promise<R> {
  const { lock = `${change.kind}:${change.sid}` } = change
  return transaction(who.ctx.db, (tx) => within(tx, who, change, work), { lock })
}

/** The same as a part of a transaction that is under way. Call it last in that. */
export async function within<T extends Thing, R>(
  tx: Db,
  who: Who,
  { kind, sid, read, view, isNew }: Change<T>,
  work: (tx: Db, before: T | undefined) => Promise<R>,
): Promise<R> {
  const before = isNew ? undefined : await read(tx)
  if (before && view) refuseStale(view, before, who.by.version)
  const result = await work(tx, before)
  const after = await read(tx)
  const owners = ownersIn(tx)
  const { untaken } = who.by
  if (untaken && after && !isEmpty(untaken)) {
    const shown = async (thing: T) => {
      const { service_provider_sid: provider } = await owners(thing)
      const own = view ? (view.response.parse(thing) as object) : thing
      // an account's provider is its things' as well, whatever their own rows say
      const untold = untaken.service_provider_sid === provider
      return { ...own, ...(untold && { service_provider_sid: provider }) }
    }
    refuseUntaken(kind, untaken, before && (await shown(before)), await shown(after))
  }
  const entry = await entryOf(owners, kind, sid, before, after)
  if (entry) await record(tx, who, [entry])
  return result
}

/**
 * Notes what is no change of a thing in the database: a secret that was shown, a cache that was cleared, a
 * file that was deleted.
 */
export function noting(
  who: Asking,
  noted: { action: 'reveal' | 'clear' | 'delete'; kind: AuditKind; sid: string; thing: Thing },
) {
  const { action, kind, sid, thing } = noted
  return transaction(who.ctx.db, async (tx) => {
    const owners = await ownersIn(tx)(thing)
    const entry = { action, kind, sid, name: nameOf(thing, sid), before: null, after: null }
    await record(tx, who, [{ ...entry, ...owners }])
  })
}

function refuseStale(view: Endpoint, before: Thing, version: string | undefined) {
  if (version === undefined) return
  const current = versionOf(view, before)
  if (current.version !== version) throw new Failure('changed', CHANGED_MEANWHILE, { current })
}

type Named = Partial<Record<(typeof NAMES)[number], unknown>>
const NAMES = ['name', 'number', 'username', 'tenant_fqdn', 'ipv4', 'category', 'vendor'] as const

/** What a thing is called in the log. */
export const nameOf = (thing: Thing, sid: string) => {
  const named = NAMES.map((key) => (thing as Named)[key]).find(Boolean)
  return named === undefined ? sid : String(named)
}

type Owners = { account_sid: string | null; service_provider_sid: string | null }

/**
 * Whose things are. A thing of an account is its provider's as well, whatever its own row says. Asks once
 * for each account.
 */
export function ownersIn(tx: Db): (thing: Thing) => Promise<Owners> {
  const known = new Map<string, Promise<string | undefined>>()
  const providerOf = async (account_sid: string) =>
    (
      await tx
        .selectFrom('accounts')
        .select('service_provider_sid')
        .where('account_sid', '=', account_sid)
        .executeTakeFirst()
    )?.service_provider_sid
  return async (thing) => {
    const { account_sid, service_provider_sid } = thing as Record<string, string | null | undefined>
    const own = service_provider_sid || null
    if (!account_sid) return { account_sid: null, service_provider_sid: own }
    const provider = known.get(account_sid) ?? providerOf(account_sid)
    known.set(account_sid, provider)
    return { account_sid, service_provider_sid: (await provider) ?? own }
  }
}

const lasting = (thing: Thing) =>
  Object.fromEntries(Object.entries(thing).filter(([key]) => !VOLATILE.includes(key)))

/** The entry for what became of a thing; undefined when nothing did. */
export async function entryOf(
  owners: ReturnType<typeof ownersIn>,
  kind: AuditKind,
  sid: string,
  before: Thing | undefined,
  after: Thing | undefined,
): Promise<Entry | undefined> {
  const thing = after ?? before
  if (!thing) return undefined
  const common = { kind, sid, name: nameOf(thing, sid), ...(await owners(thing)) }
  if (!before)
    return { ...common, action: 'create', before: null, after: withoutSecrets(lasting(thing)) }
  if (!after)
    return { ...common, action: 'delete', before: withoutSecrets(lasting(thing)), after: null }
  const differs = difference(lasting(before), lasting(after))
  return Object.keys(differs.after).length > 0
    ? { ...common, action: 'update', ...differs }
    : undefined
}
