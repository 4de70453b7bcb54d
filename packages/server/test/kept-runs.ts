import { randomUUID } from 'node:crypto'
import type { RunStep } from '@switchroom/contract'
import type { Db, Tables } from '../src/db/open.ts'
import * as suites from '../src/runs/suites/queries.ts'

const STEPS: RunStep[] = [
  { kind: 'event', at: 0, tone: 'info', text: 'The call comes in.' },
  {
    ...{ kind: 'ended', at: 1, by: 'application', text: 'The application hangs up.' },
    ...{ sip_status: null, sip_reason: null, x_reason: null, is_answered: true },
  },
]

/** Stores a run that has ended. Resolves to its sid. */
export async function addRun(
  db: Db,
  values: Pick<Tables['switchroom_runs'], 'application_sid' | 'account_sid'> &
    Partial<Tables['switchroom_runs']>,
): Promise<string> {
  const run_sid = randomUUID()
  await db
    .insertInto('switchroom_runs')
    .values({
      run_sid,
      ...{ repeats: null, test_case_sid: null, suite_sid: null },
      ...{ seen_at: null, question: null, answer: null },
      begun_at: new Date().toISOString(),
      start: JSON.stringify({ direction: 'inbound', from: '15551230001', to: '15551230002' }),
      ...{ step_count: STEPS.length, problems: 0, is_stopped: 0 },
      ended: 'The application hangs up.',
      ...{ expectations: null, outcomes: null, is_passed: null },
      ...values,
    })
    .execute()
  await db
    .insertInto('switchroom_run_steps')
    .values(STEPS.map((step, number) => ({ run_sid, number, step: JSON.stringify(step) })))
    .execute()
  return run_sid
}

/** A simulated caller as it is sent. */
export const newSimulatedCaller = (name: string = randomUUID()) => ({
  name,
  start: { direction: 'inbound' as const, from: '15551230001', to: '15551230002' },
  persona: 'A friendly person who is in no hurry.',
  goal: 'To learn the opening hours.',
  language: 'en-US',
  ...{ max_turns: 5, max_minutes: 5, max_tokens: 10_000 },
  expectations: [{ kind: 'says' as const, text: 'Hello' }],
  criteria: [{ name: 'Politeness', description: 'Says please and thank you.' }],
})

/** A test case as it is sent. */
export const newTestCase = (name: string = randomUUID()) => ({
  name,
  start: { direction: 'inbound' as const, from: '15551230001', to: '15551230002' },
  answers: [{ kind: 'digits' as const, digits: '1' }],
  expectations: [{ kind: 'says' as const, text: 'Hello' }],
})

/** Stores a suite of one call. Resolves to its sid. */
export async function addSuite(
  db: Db,
  {
    run_sid = randomUUID(),
    ...owner
  }: { application_sid: string; account_sid: string; run_sid?: string },
): Promise<string> {
  const suite_sid = randomUUID()
  const now = new Date().toISOString()
  await suites.insert(db, {
    ...owner,
    ...{ suite_sid, begun_at: now, start: now, end: now, looked_at: 1, left_out: 0 },
    calls: [
      {
        ...{ trace_id: 'a'.repeat(32), call_sid: randomUUID(), attempted_at: now, run_sid },
        ...{ from: '15551230001', to: '15551230002', steps: [] },
      },
    ],
  })
  return suite_sid
}

export const newScoreCard = () => ({
  ...{ is_active: true, share: 100, calls_a_day: 100, tokens_a_day: 100_000, pass_score: 3 },
  rules: [{ kind: 'says' as const, text: 'Welcome' }],
  criteria: [{ name: 'Helpfulness', description: '' }],
  goal: 'To learn the opening hours',
})

/** A call that was scored just now. */
export async function addScore(db: Db, owner: { application_sid: string; account_sid: string }) {
  const call_sid = randomUUID()
  const now = new Date().toISOString()
  await db
    .insertInto('switchroom_call_scores')
    .values({
      ...{ ...owner, call_sid, trace_id: 'a'.repeat(32), called_at: now, found_at: Date.now() },
      ...{ tries: 1, result: 'passed', tokens: 0, scored_at: now },
      content: JSON.stringify({ rules: [], criteria: [], pass_score: 3 }),
    })
    .execute()
  return call_sid
}
