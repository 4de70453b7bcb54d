import { type CallAnomalies, UNJUDGED_REASONS } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'
import type { Subject } from '../../stores/anomalies/subject-series.ts'
import type { Owner } from '../../stores/calls/store.ts'
import { sentenceOf, UNJUDGED_TEXTS } from './sentence.ts'

/** The most anomalies of an answer, and the most that are named of those that were not judged for one reason. */
const MOST = 50
const MOST_UNJUDGED = 20
/** Carriers first. */
const ORDER: Record<Subject['kind'], number> = { carrier: 0, account: 1, application: 2, prefix: 3 }

/** What is out of the ordinary among an owner's calls, in sentences. The owner is within the caller's scope. */
export async function anomaliesOf(
  { db, stores, memory }: Pick<Context, 'db' | 'stores' | 'memory'>,
  scope: Scope,
  owner: Owner,
): Promise<CallAnomalies> {
  const finder = await memory.anomalies()
  const { at, anomalies, weeks, judged, unjudged } = await finder.find(
    stores.calls,
    owner,
    Date.now(),
  )
  const shown = anomalies.slice(0, MOST)
  const byReason = UNJUDGED_REASONS.map((reason) => ({
    reason,
    all: unjudged
      .filter((one) => one.reason === reason)
      .sort((a, b) => ORDER[a.kind] - ORDER[b.kind]),
  })).filter(({ all }) => all.length > 0)
  const listed = byReason.map(({ all }) => all.slice(0, MOST_UNJUDGED))
  const names = await namesOf(db, scope, [...shown, ...listed.flat()])
  const nameOf = ({ kind, id }: Subject) =>
    kind === 'carrier' || kind === 'prefix' ? id : (names.get(id) ?? null)
  return {
    at: new Date(at).toISOString(),
    weeks,
    judged,
    unjudged: byReason.map(({ reason, all }, i) => ({
      reason,
      sentence: UNJUDGED_TEXTS[reason],
      total: all.length,
      subjects: listed[i]!.map((one) => ({
        ...{ kind: one.kind, id: one.id, direction: one.direction },
        name: nameOf(one),
      })),
    })),
    data: shown.map((anomaly) => {
      const { kind, id, direction, measure, since, from, to, calls, value, usual } = anomaly
      const name = nameOf(anomaly)
      return {
        ...{ kind, id, direction, name, measure, calls, value, usual },
        sentence: sentenceOf(anomaly, name ?? id),
        since: new Date(since).toISOString(),
        start: new Date(from).toISOString(),
        end: new Date(to - 1).toISOString(),
      }
    }),
  }
}

/** Names of accounts and applications that the caller may see. */
export async function namesOf(
  db: Db,
  scope: Scope,
  subjects: readonly Pick<Subject, 'kind' | 'id'>[],
) {
  const sidsOf = (kind: Subject['kind']) => [
    ...new Set(subjects.filter((a) => a.kind === kind).map((a) => a.id)),
  ]
  const [accounts, applications] = [sidsOf('account'), sidsOf('application')]
  const found = await Promise.all([
    accounts.length > 0
      ? db
          .selectFrom('accounts')
          .select(['account_sid as sid', 'name'])
          .where('account_sid', 'in', accounts)
          .where(ownedBy('accounts', scope))
          .execute()
      : [],
    applications.length > 0
      ? db
          .selectFrom('applications')
          .select(['application_sid as sid', 'name'])
          .where('application_sid', 'in', applications)
          .where(ownedBy('applications', scope))
          .execute()
      : [],
  ])
  return new Map(found.flat().map(({ sid, name }) => [sid, name]))
}
