import { BESIDE_MODELS, CallFilters, t } from '@switchroom/contract'
import { sql } from 'kysely'
import type { Context } from '../../http/context.ts'
import { invalidField } from '../../http/failure.ts'
import { ownedBy } from '../../http/tenancy.ts'
import type { Owner, Span } from '../../stores/calls/store.ts'
import { storedCalls } from '../recent-calls/stored-calls.ts'
import { costExpression } from './cost.ts'
import { pricesOf } from './prices.ts'

const TABLE = 'switchroom_model_use'
/** Sums of fractions differ in the last digits. */
const NEARLY = 1 - 1e-9

const BESIDE: readonly string[] = ['tokens_at_least', 'cost_at_least', ...BESIDE_MODELS]
const REFUSED = Object.keys(CallFilters.shape).filter((name) => !BESIDE.includes(name))

type Filters = {
  tokens_at_least?: number | undefined
  cost_at_least?: number | undefined
  application_sid?: string | undefined
  voice_of?: { part: string; names: readonly [string, string] } | undefined
}

/** Throws 400 for filters that these calls cannot have as well. */
function refuseBeside(owner: Owner, query: Filters) {
  const isOther = (name: string) => {
    const value = (query as Record<string, unknown>)[name]
    return value !== undefined && value !== ''
  }
  const other = query.voice_of && query.voice_of.part !== 'version' ? 'voice_of' : undefined
  const refused = other ?? REFUSED.find(isOther)
  if (refused !== undefined)
    throw invalidField(
      refused,
      t('Calls by tokens or cost are filtered by application, version, account and time alone'),
    )
  if (query.cost_at_least !== undefined && owner.account_sid === undefined)
    throw invalidField('cost_at_least', t('Choose an account: each has its own prices'))
}

/** Calls by what their model sessions used, newest first. Throws 400. */
export async function callsByUse(
  { db, stores }: Pick<Context, 'db' | 'stores'>,
  { from, to, ...owner }: Owner & Span,
  query: Filters,
) {
  refuseBeside(owner, query)
  const { tokens_at_least, cost_at_least, application_sid, voice_of } = query
  const cost =
    cost_at_least === undefined
      ? undefined
      : costExpression((await pricesOf(db, owner.account_sid!)).prices)
  const all = db
    .selectFrom(TABLE)
    .where('began_at', '>=', from)
    .where('began_at', '<', to)
    // without an owner, the caller is an administrator
    .$if(Object.keys(owner).length > 0, (q) => q.where(ownedBy(TABLE, owner)))
    .$if(!!application_sid, (q) => q.where('application_sid', '=', application_sid!))
    .$if(voice_of !== undefined, (q) =>
      q.where('application_sid', '=', voice_of!.names[0]).where('version', '=', voice_of!.names[1]),
    )
    .$if(tokens_at_least !== undefined, (q) => q.where(sql`input + output`, '>=', tokens_at_least!))
    .$if(cost !== undefined, (q) => q.where(cost!, '>=', cost_at_least! * NEARLY))
  return storedCalls(stores.calls, all, 'began_at')
}
