import { type AuditKind, MATCHING_MAX, t } from '@switchroom/contract'
import type { Db } from '../db/open.ts'
import { Failure } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'

/** A selection as `selectionOf` of the contract parses it. */
export type Select<K extends string, F> = Record<K, string[]> | { matching: F }

/** A kind of resource whose rows can be selected. */
export type Selectable<K extends `${string}_sids`, F, R> = {
  kind: AuditKind
  /** "phone numbers" */
  what: string
  /** The member of a selection that lists sids. */
  sids: K
  sidOf: (row: R) => string
  nameOf: (row: R) => string
  /** The rows among these that the caller may see, as the audit log compares them, in any order. */
  findAll: (db: Db, scope: Scope, sids: string[]) => Promise<R[]>
  /**
   * Sids of at most this many rows that the list shows with these filters. Filters outside the caller's scope match
   * nothing.
   */
  matching: (db: Db, scope: Scope, filters: F, most: number) => Promise<string[]>
}

/** The most rows that a refusal names. */
const SHOWN = 1_000

const sidsIn = <K extends string, F>(select: Select<K, F>, sids: K): string[] | undefined =>
  sids in select ? [...new Set((select as Record<K, string[]>)[sids])] : undefined

/**
 * The selected rows that a caller may see, in any order. Fails as a whole if a listed one is missing, or if there are
 * too many.
 */
export async function chosenBy<K extends `${string}_sids`, F, R>(
  db: Db,
  scope: Scope,
  of: Selectable<K, F, R>,
  select: Select<K, F>,
): Promise<R[]> {
  const sids = sidsIn(select, of.sids)
  if (!sids) {
    const { matching } = select as { matching: F }
    const found = await of.matching(db, scope, matching, MATCHING_MAX + 1)
    if (found.length > MATCHING_MAX)
      throw new Failure(
        'invalid',
        t('At most {n} {what} at once', { n: MATCHING_MAX, what: of.what }),
      )
    return of.findAll(db, scope, found)
  }
  const found = await of.findAll(db, scope, sids)
  const foundSids = new Set(found.map(of.sidOf))
  const missing = sids.filter((sid) => !foundSids.has(sid))
  if (missing.length > 0)
    throw new Failure(
      'not_found',
      t('Nothing was changed: {missing} of {n} {what} no longer exist', {
        missing: missing.length,
        n: sids.length,
        what: of.what,
      }),
      {
        issues: missing
          .slice(0, SHOWN)
          .map((sid) => ({ path: [of.sids, sid], message: t('No longer exists') })),
      },
    )
  return found
}

/** True if more than this many are selected, as far as is known before others have to wait. */
export async function selectsMoreThan<K extends `${string}_sids`, F, R>(
  db: Db,
  scope: Scope,
  of: Selectable<K, F, R>,
  select: Select<K, F>,
  most: number,
) {
  const sids =
    sidsIn(select, of.sids) ??
    (await of.matching(db, scope, (select as { matching: F }).matching, most + 1))
  return sids.length > most
}

/** Refuses a whole change if there are rows that it is not possible for, and names them. */
export function refuse<K extends `${string}_sids`, F, R>(
  { sids, nameOf }: Selectable<K, F, R>,
  bad: R[],
  all: R[],
  {
    cannot,
    message,
  }: {
    cannot: (counts: { bad: number; all: number }) => string
    message: string | ((row: R) => string)
  },
) {
  if (bad.length === 0) return
  const path = sids.replace(/_sids$/, 's')
  throw new Failure('invalid', cannot({ bad: bad.length, all: all.length }), {
    issues: bad.slice(0, SHOWN).map((row) => ({
      path: [path, nameOf(row)],
      message: typeof message === 'string' ? message : message(row),
    })),
  })
}
