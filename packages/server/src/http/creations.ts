import type { Endpoint } from '@switchroom/contract'
import type { Db } from '../db/open.ts'
import type { Context } from './context.ts'
import type { RequestMeta, Scope } from './scope.ts'

// Resources created with an `Idempotency-Key`, and the answers given: docs/adr/055-programs.md.

const KEPT_MS = 24 * 3_600_000

type Keyed = {
  e: Endpoint
  scope: Scope
  meta: RequestMeta
  key: string
  /** The parts of the request that make a difference. */
  sent: unknown
}

/**
 * Creates a resource, or repeats the answer given when this caller created it by this key. The answer is stored in the
 * transaction that creates it; failures are not remembered. Undefined if the key was sent with another request.
 */
export async function createOnce(
  { db, box }: Pick<Context, 'db' | 'box'>,
  { e, scope, meta, key, sent }: Keyed,
  create: () => Promise<unknown>,
): Promise<{ answer: unknown; isReplayed: boolean } | undefined> {
  const digest = (...parts: unknown[]) => box.digest(JSON.stringify(parts))
  const key_digest = digest('key', callerOf(scope), key)
  const request_digest = digest('request', e.method, e.path, sent)
  const replay = (stored: Row) =>
    stored.request_digest === request_digest
      ? { answer: JSON.parse(box.open(stored.sealed_answer)!) as unknown, isReplayed: true }
      : undefined
  const known = await find(db, key_digest)
  if (known) return replay(known)
  meta.remember = (tx, answer) =>
    remember(tx, {
      ...{ key_digest, request_digest, created_at: Date.now() },
      sealed_answer: box.seal(JSON.stringify(answer)),
    })
  try {
    return { answer: await create(), isReplayed: false }
  } catch (error) {
    // the same request may have been faster: it has the name, or the key
    const first = await find(db, key_digest)
    if (first) return replay(first)
    throw error
  }
}

/** One person or API key, so that nobody gets the answer of another, which may be a token. */
const callerOf = (scope: Scope) => [
  scope.user_sid ?? scope.api_key_sid,
  ...(scope.role === 'admin' ? [] : [scope.service_provider_sid]),
  ...(scope.role === 'account' ? [scope.account_sid] : []),
]

const find = (db: Db, key_digest: string) =>
  db
    .selectFrom('switchroom_creations')
    .selectAll()
    .where('key_digest', '=', key_digest)
    .where('created_at', '>', Date.now() - KEPT_MS)
    .executeTakeFirst()

type Row = NonNullable<Awaited<ReturnType<typeof find>>>

async function remember(tx: Db, row: Row) {
  await tx
    .deleteFrom('switchroom_creations')
    .where('key_digest', '=', row.key_digest)
    .where('created_at', '<=', row.created_at - KEPT_MS)
    .execute()
  // if the same request was faster, this rolls back the creation
  await tx.insertInto('switchroom_creations').values(row).execute()
}

/** Deletes keys older than a day. */
export const forgetOldCreations = (db: Db, now = Date.now()) =>
  db
    .deleteFrom('switchroom_creations')
    .where('created_at', '<=', now - KEPT_MS)
    .execute()
