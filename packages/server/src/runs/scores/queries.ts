import type { CallScore, RuleScore, Score, ScoreCard, ScoringState } from '@switchroom/contract'
import { type Insertable, type Selectable, sql } from 'kysely'
import { forgetScores } from '../../calls/forget-scores.ts'
import { transcriptPolicyOf } from '../../calls/words-kept.ts'
import { nowIn } from '../../db/clock.ts'
import { skipExisting } from '../../db/dialect.ts'
import { insertMany } from '../../db/insert-many.ts'
import type { Db, Tables } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { ownedBy } from '../../http/tenancy.ts'
import { masked } from '../../talk/masked.ts'
import { dayOf, isSpent, usedOn } from './budget.ts'
import { isPassed, type Judged } from './judge.ts'

const CARDS = 'switchroom_score_cards'
const SCORES = 'switchroom_call_scores'
const ITEMS = 'switchroom_score_items'
const NAME_CHARS = 300

export type CardRow = Selectable<Tables[typeof CARDS]>
export type ScoreRow = Selectable<Tables[typeof SCORES]>
export type CallKey = { account_sid: string; call_sid: string }

type Content = Omit<ScoreCard, 'application_sid' | 'account_sid' | 'is_active'>

/** A card that nobody has set. */
const BLANK: Content = {
  ...{ share: 5, calls_a_day: 100, tokens_a_day: 100_000 },
  ...{ rules: [], criteria: [], goal: '', pass_score: 3 },
}

export const contentOf = (card: Content): string => {
  const { share, calls_a_day, tokens_a_day, rules, criteria, goal, pass_score } = card
  return JSON.stringify({
    ...{ share, calls_a_day, tokens_a_day, rules, criteria, goal, pass_score },
  } satisfies Content)
}

export const shown = (
  row: Pick<CardRow, 'application_sid' | 'account_sid' | 'is_active' | 'content'>,
) => ({
  ...(JSON.parse(row.content) as Content),
  application_sid: row.application_sid,
  account_sid: row.account_sid,
  is_active: row.is_active === 1,
})

/** Look up the application within the caller's scope first. */
export const stored = (db: Db, application_sid: string): Promise<CardRow | undefined> =>
  db.selectFrom(CARDS).selectAll().where('application_sid', '=', application_sid).executeTakeFirst()

/** The score card of an application that the caller sees. */
export async function cardOf(
  db: Db,
  { application_sid, account_sid }: { application_sid: string; account_sid: string | null },
): Promise<ScoreCard> {
  const row = await stored(db, application_sid)
  return row ? shown(row) : { application_sid, account_sid, is_active: false, ...BLANK }
}

/** Stores a card that is off, if there is none. Look up the application within the caller's scope first. */
export const insert = (
  db: Db,
  of: Pick<Insertable<Tables[typeof CARDS]>, 'application_sid' | 'account_sid'>,
) =>
  db
    .insertInto(CARDS)
    .values({
      ...{ ...of, is_active: 0, content: contentOf(BLANK), updated_at: new Date().toISOString() },
      ...{ seen_until: null, day: '', used_calls: 0, used_tokens: 0, failures: 0, paused_until: 0 },
    })
    .$call(skipExisting(db))
    .execute()

/** Updates a card. Calls from before it was activated are not scored. */
export const update = (
  db: Db,
  scope: Scope,
  application_sid: string,
  { is_active, ...content }: Content & Pick<ScoreCard, 'is_active'>,
) =>
  db
    .updateTable(CARDS)
    .set({
      ...{ is_active: is_active ? 1 : 0, content: contentOf(content) },
      updated_at: new Date().toISOString(),
      // what was changed may be what failed
      ...{ failures: 0, paused_until: 0 },
      ...(!is_active && { seen_until: null }),
    })
    .where('application_sid', '=', application_sid)
    .where(ownedBy(CARDS, scope))
    .execute()

/** Forgets the calls of an application that wait to be scored. */
export const forgetWaiting = (db: Db, application_sid: string) =>
  db
    .deleteFrom(SCORES)
    .where('application_sid', '=', application_sid)
    .where('result', 'is', null)
    .execute()

/** The cards by which calls are scored now. */
export const active = (db: Db, now: number) =>
  db
    .selectFrom(CARDS)
    .selectAll()
    .where('is_active', '=', 1)
    .where('paused_until', '<=', now)
    .orderBy('application_sid')
    .execute()

/** State of scoring the calls of an application. Look it up within the caller's scope first. */
export async function stateOf(
  db: Db,
  { application_sid, account_sid }: { application_sid: string; account_sid: string | null },
): Promise<ScoringState> {
  const owner = account_sid ?? ''
  const row = await db
    .selectFrom('applications')
    .leftJoin(CARDS, `${CARDS}.application_sid`, 'applications.application_sid')
    .select([
      ...(['is_active', 'content', 'day', 'used_calls', 'used_tokens', 'paused_until'] as const),
      nowIn(db).as('now'),
      sql<number>`exists (select 1 from switchroom_language_models where account_sid = ${owner})`.as(
        'has_model',
      ),
      sql<number>`exists (select 1 from switchroom_transcript_settings
        where account_sid = ${owner} and words = 'leave_out')`.as('leaves_out'),
      sql<number>`(select count(*) from switchroom_call_scores
        where application_sid = ${application_sid} and result is null)`.as('waiting'),
    ])
    .where('applications.application_sid', '=', application_sid)
    .executeTakeFirstOrThrow()
  const { is_active, content, day, used_calls, used_tokens, paused_until } = row
  const [has_model, now] = [Number(row.has_model) === 1, Number(row.now)]
  const use = { day: day ?? '', used_calls: used_calls ?? 0, used_tokens: used_tokens ?? 0 }
  const used = usedOn(dayOf(now), use)
  function state(): ScoringState['state'] {
    if (is_active !== 1 || content === null || account_sid === null) return 'off'
    if (Number(row.leaves_out) === 1) return 'no_words'
    const card = JSON.parse(content) as Content
    if (!has_model && card.rules.length === 0) return 'no_model'
    if (Number(paused_until) > now) return 'paused'
    return isSpent(use, card, dayOf(now)) ? 'spent' : 'on'
  }
  return {
    ...{ state: state(), has_model, waiting: Number(row.waiting) },
    ...{ calls_today: used.calls, tokens_today: used.tokens },
  }
}

export const hasModel = async (db: Db, account_sid: string) =>
  (await db
    .selectFrom('switchroom_language_models')
    .select('account_sid')
    .where('account_sid', '=', account_sid)
    .executeTakeFirst()) !== undefined

/** True if an account keeps no words of its calls now. */
export const leavesOut = async (db: Db, account_sid: string) =>
  (
    await db
      .selectFrom('switchroom_transcript_settings')
      .select('words')
      .where('account_sid', '=', account_sid)
      .executeTakeFirst()
  )?.words === 'leave_out'

const at = ({ account_sid, call_sid }: CallKey) => ({ account_sid, call_sid })

type Kept = Pick<Judged, 'rules' | 'criteria' | 'pass_score'>

/** Stores the scores of a call that waits for them. Call in a transaction. */
export async function keep(
  tx: Db,
  { version, ...key }: CallKey & Pick<ScoreRow, 'version'>,
  judged: Judged,
) {
  const { result, tokens, rules, criteria, pass_score } = judged
  const { numUpdatedRows } = await tx
    .updateTable(SCORES)
    .set({
      ...{ result, tokens, version, scored_at: new Date().toISOString() },
      content: JSON.stringify({ rules, criteria, pass_score } satisfies Kept),
    })
    .where((eb) => eb.and(at(key)))
    .where('result', 'is', null)
    .executeTakeFirstOrThrow()
  // the call's words were deleted meanwhile
  if (numUpdatedRows === 0n) return
  const flag = (passed: boolean | null) => (passed === null ? null : passed ? 1 : 0)
  const items = [
    ...rules.map(({ rule, is_met }) => ({
      ...{ kind: 'rule', name: rule, is_passed: flag(is_met), score: null },
    })),
    ...criteria.map(({ criterion, score }) => ({
      ...{
        kind: 'criterion',
        name: criterion,
        is_passed: flag(isPassed(score, pass_score)),
        score,
      },
    })),
  ]
  await insertMany(
    tx,
    ITEMS,
    items.map((item, number) => ({
      ...at(key),
      number,
      ...item,
      name: item.name.slice(0, NAME_CHARS).toWellFormed(),
    })),
  )
}

/** The scores of a call, as its account wants its words shown; undefined if there are none to show. */
export async function view(db: Db, key: CallKey): Promise<CallScore | undefined> {
  const row = await db
    .selectFrom(SCORES)
    .selectAll()
    .where((eb) => eb.and(at(key)))
    .where('result', 'is not', null)
    .executeTakeFirst()
  if (!row?.content || !row.result || !row.scored_at) return undefined
  const from = Date.parse(row.called_at)
  const time = { from, to: Date.parse(row.scored_at) }
  const policy = await transcriptPolicyOf(db, row.account_sid, time)
  if (policy === 'leave_out') return undefined
  const { rules, criteria, pass_score } = JSON.parse(row.content) as Kept
  const text = <T extends string | null>(value: T) =>
    policy === 'mask' && value !== null ? masked(value) : value
  const { application_sid, scored_at, result, tokens } = row
  return {
    ...{ application_sid, scored_at, result, tokens, pass_score },
    rules: rules.map(
      ({ nearest, reason, ...rule }): RuleScore => ({
        ...rule,
        reason: text(reason),
        nearest: text(nearest),
      }),
    ),
    criteria: criteria.map(
      ({ reason, quote, refused, ...score }): Score => ({
        ...score,
        reason: text(reason),
        quote: text(quote),
        refused: text(refused),
      }),
    ),
  }
}

const BATCH = 200

/**
 * Deletes a bounded number of scores: of calls before this time, and of accounts that keep no words now. Resolves to how
 * many there were.
 */
export async function removeOld(db: Db, time: string) {
  const old = await db
    .selectFrom(SCORES)
    .select(['account_sid', 'call_sid'])
    .where((eb) =>
      eb.or([
        eb('called_at', '<', time),
        eb(
          'account_sid',
          'in',
          eb
            .selectFrom('switchroom_transcript_settings')
            .select('account_sid')
            .where('words', '=', 'leave_out'),
        ),
      ]),
    )
    .limit(BATCH)
    .execute()
  for (const key of old) await forgetScores(db, key)
  return old.length
}
