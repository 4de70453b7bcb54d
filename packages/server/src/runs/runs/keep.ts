import { setTimeout as pause } from 'node:timers/promises'
import { Answer, type ExpectationOutcome, type RunStep } from '@switchroom/contract'
import type { Updateable } from 'kysely'
import { nowIn, steadyNow } from '../../db/clock.ts'
import { insertMany } from '../../db/insert-many.ts'
import type { Tables } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import type { Context } from '../../http/context.ts'
import { LOST_MS, whileRunning } from './queries.ts'

/** Intervals: to write steps, to read the row, and to confirm that the run is alive. */
const WRITE_MS = 100
const READ_MS = 300
const BEAT_MS = 5_000
/** Steps in one transaction. */
const BATCH = 100
const ENDED_CHARS = 2_000

export type KeptRun = {
  add: (step: RunStep) => void
  /** Has the latest step ask the tester. Returns a function that withdraws the question. */
  ask: (answered: (answer: Answer) => void) => () => void
  /** The run is over. `text` says so if no step does. */
  end: (text: string) => void
  /** Reads its row now. */
  look: () => void
  /** Resolves once all is written, or cannot be. */
  written: Promise<void>
}

/** Outcomes of a run's expectations, from its steps. */
export type Check = (steps: readonly RunStep[]) => ExpectationOutcome[]

/** The row of a run is gone, or the run was taken for interrupted. */
class Lost extends Error {
  override name = 'Lost'
}

/**
 * Writes the steps of a run, and reads the tester's answers, until it ends. Does not throw: if the database fails for
 * too long, that is logged once, the run is stopped, and shown as interrupted.
 */
export function keepRun(
  { db, log }: Pick<Context, 'db' | 'log'>,
  run_sid: string,
  check: Check | null,
  stop: () => void,
): KeptRun {
  const steps: RunStep[] = []
  let problems = 0
  let asking: { question: number; answered: (answer: Answer) => void } | undefined
  let isEnded = false
  /** State of the row as last written or read. */
  const stored = { steps: 0, question: null as number | null, at: steadyNow(), isEnded: false }
  let readAt = 0
  let wake = () => {}

  const look = () => {
    readAt = 0
    wake()
  }

  function add(step: RunStep) {
    if (isEnded) return
    steps.push(step)
    problems += problemsOf(step)
  }

  /** The next steps, and the other columns of the row after them. */
  function next() {
    const rows = steps
      .slice(stored.steps, stored.steps + BATCH)
      .map((step, i) => ({ run_sid, number: stored.steps + i, step: JSON.stringify(step) }))
    const step_count = stored.steps + rows.length
    const isWhole = step_count === steps.length
    // a question is open once its step is stored
    const question = isWhole ? (asking?.question ?? null) : null
    return { rows, step_count, question, isWhole }
  }

  const isDue = () =>
    stored.steps < steps.length ||
    stored.question !== (asking?.question ?? null) ||
    isEnded ||
    steadyNow() - stored.at >= BEAT_MS

  async function write() {
    const { rows, step_count, question, isWhole } = next()
    const now = steadyNow()
    const isLast = isEnded && isWhole
    const change: Updateable<Tables['switchroom_runs']> = {
      step_count,
      problems,
      ...(question !== stored.question && { question, answer: null }),
      ...(isLast && endOf(steps, check)),
    }
    await transaction(
      db,
      async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('switchroom_runs')
          .set({ seen_at: nowIn(tx), ...change })
          .where('run_sid', '=', run_sid)
          .where(whileRunning(tx))
          .executeTakeFirstOrThrow()
        if (numUpdatedRows === 0n) throw new Lost('The run was deleted, or taken for interrupted')
        await insertMany(tx, 'switchroom_run_steps', rows)
      },
      // after a power cut, a run that went on is interrupted anyway
      { isSynced: isLast },
    )
    Object.assign(stored, { steps: step_count, question, at: now, isEnded: isLast })
  }

  async function read() {
    const row = await db
      .selectFrom('switchroom_runs')
      .select(['is_stopped', 'question', 'answer'])
      .where('run_sid', '=', run_sid)
      .executeTakeFirst()
    if (!row) throw new Lost('The run was deleted')
    readAt = steadyNow()
    if (row.is_stopped) stop()
    if (asking && row.answer !== null && row.question === asking.question)
      asking.answered(Answer.parse(JSON.parse(row.answer)))
  }

  async function keep() {
    let isFailing = false
    while (!stored.isEnded) {
      try {
        while (isDue() && !stored.isEnded) await write()
        if (!isEnded && steadyNow() - readAt >= READ_MS) await read()
        isFailing = false
      } catch (err) {
        const isLost = err instanceof Lost
        if (!isFailing) log[isLost ? 'info' : 'error']({ err, run_sid }, 'a run cannot be kept')
        isFailing = true
        if (isLost || steadyNow() - stored.at > LOST_MS) return stop()
      }
      if (!stored.isEnded) await untilNext()
    }
  }

  async function untilNext() {
    const waking = new AbortController()
    wake = () => waking.abort()
    await pause(WRITE_MS, undefined, { signal: waking.signal }).catch(() => undefined)
  }

  const written = keep()
  return {
    add,
    ask(answered) {
      const question = steps.length - 1
      asking = { question, answered }
      wake()
      return () => {
        if (asking?.question === question) asking = undefined
      }
    },
    end(text) {
      if (isEnded) return
      if (steps.at(-1)?.kind !== 'ended') add(endedBy(text, steps.at(-1)?.at ?? 0))
      isEnded = true
      asking = undefined
      wake()
    },
    look,
    written,
  }
}

function problemsOf(step: RunStep) {
  if (step.kind === 'request' || step.kind === 'command') return step.problems.length
  return step.kind === 'event' && step.tone === 'bad' ? 1 : 0
}

const endedBy = (text: string, at: number): RunStep => ({
  ...{ kind: 'ended', at, by: 'run', text, is_answered: false },
  ...{ sip_status: null, sip_reason: null, x_reason: null },
})

function endOf(steps: readonly RunStep[], check: Check | null) {
  const last = steps.at(-1)
  const outcomes = check?.(steps) ?? null
  return {
    seen_at: null,
    question: null,
    answer: null,
    ended: last?.kind === 'ended' ? last.text.slice(0, ENDED_CHARS) : null,
    outcomes: outcomes && JSON.stringify(outcomes),
    is_passed: outcomes && (outcomes.every(({ is_met }) => is_met) ? (1 as const) : (0 as const)),
  }
}
