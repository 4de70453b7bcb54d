import type { CallAnomalies } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'
import type { Anomaly } from '../../stores/anomalies/method.ts'
import type { Owner } from '../../stores/calls.ts'
import { sentenceOf } from './sentence.ts'

/** The most anomalies of an answer. */
const MOST = 50

/** What is out of the ordinary among an owner's calls, in sentences. The owner is within the caller's scope. */
export async function anomaliesOf(
  { db, stores, memory }: Pick<Context, 'db' | 'stores' | 'memory'>,
  scope: Scope,
  owner: Owner,
): Promise<CallAnomalies> {
  const finder = await memory.anomalies()
  const { at, anomalies, weeks } = await finder.find(stores.calls, owner, Date.now())
  const shown = anomalies.slice(0, MOST)
  const names = await namesOf(db, scope, shown)
  return {
    at: new Date(at).toISOString(),
    weeks,
    data: shown.map((anomaly) => {
      const { kind, id, measure, since, from, to, calls, value, usual } = anomaly
      const name = kind === 'carrier' || kind === 'prefix' ? id : (names.get(id) ?? null)
      return {
        ...{ kind, id, name, measure, calls, value, usual },
        sentence: sentenceOf(anomaly, name ?? id),
        since: new Date(since).toISOString(),
        start: new Date(from).toISOString(),
        end: new Date(to - 1).toISOString(),
      }
    }),
  }
}

/** Names of accounts and applications that the caller may see. */
async function namesOf(db: Db, scope: Scope, anomalies: readonly Anomaly[]) {
  const sidsOf = (kind: Anomaly['kind']) => [
    ...new Set(anomalies.filter((a) => a.kind === kind).map((a) => a.id)),
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
