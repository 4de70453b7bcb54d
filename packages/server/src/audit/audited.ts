import { type AuditKind, EDIT_CONFLICT, type Endpoint, membersOf } from '@switchroom/contract'
import { isEmpty } from '../db/defined-fields.ts'
import type { Db } from '../db/open.ts'
import { sharedTransaction } from '../db/shared.ts'
import { transaction } from '../db/transaction.ts'
import type { Context } from '../http/context.ts'
import { Failure } from '../http/failure.ts'
import { noteProvider, providerIn } from '../http/tenancy.ts'
import { VOLATILE, versionOf } from '../http/version.ts'
import { withoutSecrets } from '../secrets/without-secrets.ts'
import { difference } from './difference.ts'
import { type Actor, type Entry, record } from './record.ts'
import { refuseUnknownFields } from './unknown-fields.ts'

type Subject = object

export type AuditSubject<T extends Subject> = {
  kind: AuditKind
  sid: string
  /** Reads it as its single read shows it; undefined when it does not exist. */
  read: (tx: Db) => Promise<T | undefined>
  /** The same after the change, where it is known by then. */
  reread?: (tx: Db) => Promise<T | undefined>
  /** Set when creating: there is nothing to read before. */
  isNew?: true
  /** Set when deleting: there is nothing to read after. */
  isGone?: true
  /** What a creation answers, if it is not the sid alone. */
  answer?: object
  /** The endpoint whose versions callers may send. */
  view?: Endpoint
  /**
   * A lock name as in `transaction`. By default, changes of the same subject queue with each other; nobody else
   * can change a new one.
   */
  lock?: string
}

export type ActorContext = Actor & { ctx: Context }

/**
 * Changes one subject in one transaction, and writes the change to the audit log. Throws 409 `changed`,
 * with the current version, when the caller has edited an older one.
 */
export function audited<T extends Subject, R>(
  actor: ActorContext,
  change: AuditSubject<T>,
  work: (tx: Db, before: T | undefined) => Promise<R>,
): Promise<R> {
  const lock = change.lock ?? (change.isNew ? undefined : `${change.kind}:${change.sid}`)
  // an undo is compared with the log while nobody else can add to it
  const run = actor.meta.undoes ? transaction : sharedTransaction
  return run(actor.ctx.db, (tx) => auditedIn(tx, actor, change, work), { lock })
}

/** Adds one subject, as `audited`. `work` resolves to what its single read will show, so that nothing is read again. */
export function auditedAddition<T extends Subject>(
  actor: ActorContext,
  added: Pick<AuditSubject<T>, 'kind' | 'sid' | 'view' | 'lock'>,
  work: (tx: Db) => Promise<T>,
): Promise<void> {
  const add = async (tx: Db) => {
    noteCaller(tx, actor)
    await log(tx, actor, added, { sid: added.sid }, undefined, await work(tx))
  }
  return sharedTransaction(actor.ctx.db, add, { lock: added.lock })
}

/**
 * Changes one subject, as `audited`. `work` resolves to what its single read will show, so that it is not read again: for
 * those whose columns are stored as they are sent.
 */
export function auditedUpdate<T extends Subject>(
  actor: ActorContext,
  subject: AuditSubject<T>,
  work: (tx: Db, before: T | undefined) => Promise<T>,
): Promise<void> {
  let after: T | undefined
  const change = { ...subject, reread: async () => after }
  return audited(actor, change, async (tx, before) => {
    after = await work(tx, before)
  })
}

/** Who calls is known: an account's provider need not be asked. */
function noteCaller(tx: Db, { scope }: Actor) {
  if (scope.role === 'account') noteProvider(tx, scope.account_sid, scope.service_provider_sid)
}

async function log<T extends Subject>(
  tx: Db,
  actor: Actor,
  subject: Pick<AuditSubject<T>, 'kind' | 'sid' | 'view'>,
  answer: object | false | undefined,
  before: T | undefined,
  after: T | undefined,
) {
  const entry = await checkedEntryOf(ownersIn(tx), actor, subject, before, after)
  if (answer) await actor.meta.remember?.(tx, answer)
  if (entry) await record(tx, actor, [entry])
}

/** Like `audited`, inside a transaction that is already open. Call it last in that transaction. */
export async function auditedIn<T extends Subject, R>(
  tx: Db,
  actor: Actor,
  change: AuditSubject<T>,
  work: (tx: Db, before: T | undefined) => Promise<R>,
): Promise<R> {
  const { read, reread = read, view, isNew, isGone, answer = isNew && { sid: change.sid } } = change
  noteCaller(tx, actor)
  const before = isNew ? undefined : await read(tx)
  if (before && view) refuseStale(view, before, actor.meta.version)
  const result = await work(tx, before)
  await log(tx, actor, change, answer, before, isGone ? undefined : await reread(tx))
  return result
}

/** As `entryOf`. Throws 400 for fields of the request that were not stored. */
export async function checkedEntryOf<T extends Subject>(
  owners: ReturnType<typeof ownersIn>,
  { meta: { unknown_fields } }: Actor,
  { kind, sid, view }: Pick<AuditSubject<T>, 'kind' | 'sid' | 'view'>,
  before: T | undefined,
  after: T | undefined,
) {
  if (unknown_fields && after && !isEmpty(unknown_fields)) {
    const viewOf = async (subject: T) => {
      const { service_provider_sid: provider } = await owners(subject)
      const own = view ? membersOf(view.response.parse(subject)) : subject
      // rows of an account may omit the provider, which is still theirs
      const namesProvider = unknown_fields.service_provider_sid === provider
      return { ...own, ...(namesProvider && { service_provider_sid: provider }) }
    }
    refuseUnknownFields(kind, unknown_fields, before && (await viewOf(before)), await viewOf(after))
  }
  return entryOf(owners, kind, sid, before, after)
}

/**
 * Writes an audit entry for something that changes no row: a revealed secret, a cleared cache, a
 * request that is sent, a file that is written or deleted.
 */
export function auditEvent(
  actor: ActorContext,
  event: {
    action: 'create' | 'reveal' | 'clear' | 'send' | 'delete'
    kind: AuditKind
    sid: string
    subject: Subject
  },
) {
  const { action, kind, sid, subject } = event
  return sharedTransaction(actor.ctx.db, async (tx) => {
    const owners = await ownersIn(tx)(subject)
    const entry = { action, kind, sid, name: nameOf(subject, sid), before: null, after: null }
    await record(tx, actor, [{ ...entry, ...owners }])
  })
}

function refuseStale(view: Endpoint, before: Subject, version: string | undefined) {
  if (version === undefined) return
  const current = versionOf(view, before)
  if (current.version !== version) throw new Failure('changed', EDIT_CONFLICT, { current })
}

const NAMES = ['name', 'number', 'username', 'tenant_fqdn', 'ipv4', 'category', 'vendor'] as const

/** The name of a subject in the audit log: its first naming column, or its sid. */
export const nameOf = (subject: Subject, sid: string) => {
  const named = NAMES.map((key): unknown => Reflect.get(subject, key)).find(Boolean)
  return named === undefined ? sid : String(named)
}

type Owners = { account_sid: string | null; service_provider_sid: string | null }

/** A member of a subject; null when it is empty or missing. */
function textIn(subject: Subject, name: string): string | null {
  const value: unknown = Reflect.get(subject, name)
  return typeof value === 'string' && value !== '' ? value : null
}

/**
 * Looks up the owners of audit subjects. What belongs to an account also belongs to its provider, even
 * where the row does not say so. One query per account.
 */
export function ownersIn(tx: Db): (subject: Subject) => Promise<Owners> {
  const known = new Map<string, Promise<string | undefined>>()
  return async (subject) => {
    const account_sid = textIn(subject, 'account_sid')
    const own = textIn(subject, 'service_provider_sid')
    if (!account_sid) return { account_sid: null, service_provider_sid: own }
    const provider = known.get(account_sid) ?? providerIn(tx, account_sid)
    known.set(account_sid, provider)
    return { account_sid, service_provider_sid: (await provider) ?? own }
  }
}

const stableFields = (subject: Subject) =>
  Object.fromEntries(Object.entries(subject).filter(([key]) => !VOLATILE.includes(key)))

/** The entry for a change; undefined when nothing changed. */
export async function entryOf(
  owners: ReturnType<typeof ownersIn>,
  kind: AuditKind,
  sid: string,
  before: Subject | undefined,
  after: Subject | undefined,
): Promise<Entry | undefined> {
  const subject = after ?? before
  if (!subject) return undefined
  const common = { kind, sid, name: nameOf(subject, sid), ...(await owners(subject)) }
  if (!before)
    return {
      ...common,
      action: 'create',
      before: null,
      after: withoutSecrets(stableFields(subject)),
    }
  if (!after)
    return {
      ...common,
      action: 'delete',
      before: withoutSecrets(stableFields(subject)),
      after: null,
    }
  const differs = difference(stableFields(before), stableFields(after))
  return Object.keys(differs.after).length > 0
    ? { ...common, action: 'update', ...differs }
    : undefined
}
