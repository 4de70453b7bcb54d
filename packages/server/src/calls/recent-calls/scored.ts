import { BESIDE_SCORES, CallFilters, type ScoreFilter, t } from '@switchroom/contract'
import type { z } from 'zod'
import type { Context } from '../../http/context.ts'
import { invalidField } from '../../http/failure.ts'
import { ownedBy } from '../../http/tenancy.ts'
import type { Owner, Span } from '../../stores/calls/store.ts'
import { storedCalls } from './stored-calls.ts'

/** Beyond what a time can be. */
const LATEST = 253_402_300_799_999

const ALONE = t('Scored calls are filtered by application, version, account and time alone')
const BESIDE: readonly string[] = ['score', ...BESIDE_SCORES]
const REFUSED = Object.keys(CallFilters.shape).filter((name) => !BESIDE.includes(name))

/** Throws 400 for filters that scored calls cannot have as well. */
export function refuseBeside(query: Readonly<Record<string, unknown>>) {
  const other = REFUSED.find((name) => query[name] !== undefined && query[name] !== '')
  if (other !== undefined) throw invalidField(other, ALONE)
}

/** An application and its version. Throws 400 for another part of a conversation. */
export function versionIn(voice_of: z.output<typeof CallFilters>['voice_of']) {
  if (voice_of === undefined) return undefined
  if (voice_of.part !== 'version') throw invalidField('voice_of', ALONE)
  return voice_of.names
}

type Scored = {
  score: ScoreFilter
  application_sid: string | undefined
  version: readonly [application_sid: string, version: string] | undefined
}

const iso = (ms: number) => new Date(Math.min(Math.max(ms, 0), LATEST)).toISOString()

/** Calls that were scored, newest first. */
export function scoredCalls(
  { db, stores }: Pick<Context, 'db' | 'stores'>,
  { from, to, ...owner }: Owner & Span,
  { score, application_sid, version }: Scored,
) {
  const all = db
    .selectFrom('switchroom_call_scores')
    .where('called_at', '>=', iso(from))
    .where('called_at', '<', iso(to))
    .where('result', score === 'scored' ? 'is not' : '=', score === 'scored' ? null : score)
    // without an owner, the caller is an administrator
    .$if(Object.keys(owner).length > 0, (q) => q.where(ownedBy('switchroom_call_scores', owner)))
    .$if(!!application_sid, (q) => q.where('application_sid', '=', application_sid!))
    .$if(version !== undefined, (q) =>
      q.where('application_sid', '=', version![0]).where('version', '=', version![1]),
    )
  return storedCalls(stores.calls, all, 'called_at')
}
