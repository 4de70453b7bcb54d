import {
  HEALTH_PARTS,
  HEALTH_STATES,
  type HealthPart,
  type HealthPartName,
  type HealthState,
  type Stored,
  t,
} from '@switchroom/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { Figure } from './figures.ts'
import { sentenceOf, withoutCredentials } from './sentence.ts'

export type Finding = { state: HealthState; sentence?: string; stored?: Stored[] }
export type Check = {
  part: HealthPartName
  /** The pause between two checks, give or take a tenth. */
  every_ms: number
  /** Not repeated sooner, whoever asks. */
  least_ms?: number
  /** The time limit, of time in which this process could run. */
  limit_ms?: number
  /**
   * Finds out the state. Resolves to nothing if that cannot be known now, because another part that it
   * needs is down. An error is a failure.
   */
  run: () => Promise<Finding | undefined>
}

export type Health = {
  /**
   * Reports the state of a part. The sentence says what is wrong, or what is known while it is ok; it
   * must name no secret.
   */
  report: (part: HealthPartName, state: HealthState, sentence?: string, stored?: Stored[]) => void
  /** What has been reported. A part that is not in use here never reports. */
  parts: () => HealthPart[]
  /** Sets a gauge. */
  measure: (figure: Figure, value: number, label?: string) => void
  /** Adds one to a counter. */
  count: (figure: Figure, label?: string) => void
  figures: () => { figure: Figure; label: string | undefined; value: number }[]
  /** Adds a check, which runs in the background once started. */
  watch: (check: Check) => void
  start: () => void
  /** Runs the checks of these parts, or all, unless they ran just now. Concurrent callers share one run. */
  check: (parts?: readonly HealthPartName[]) => Promise<void>
  /** Ends the checks. Waits a second for one that is running; what it finds later is not reported. */
  stop: () => Promise<void>
  /**
   * Whether an error of a part that is down may be logged, with how many were not since the latest. A part
   * that stays down writes one line, then one every ten minutes at most.
   */
  mayLog: (part: HealthPartName) => { suppressed: number } | undefined
  /** Set when the server is shutting down: it is not ready any more, and still answers. */
  draining: boolean
}

const LIMIT_MS = 2_500
const PART_MS = 100
const LEAST_MS = 1_000
const REMIND_MS = 10 * 60_000
const MAX_SENTENCE = 300

/** How long a running check holds up the end of the server. */
const STOP_MS = 1_000

/** An error this long before a part is found down belongs to the same outage. */
const SAME_MS = 30_000

type Options = {
  log?: FastifyBaseLogger
  now?: () => number
  /** Milliseconds that never jump, for ages. */
  ticks?: () => number
}
type Outage = { since: number; lastLine: number; suppressed: number; worst: HealthState }

/** Keeps the latest report of each part and since when its state has been what it is; logs its changes. */
export function health({
  log,
  now = Date.now,
  ticks = () => performance.now(),
}: Options = {}): Health {
  const parts = new Map<HealthPartName, HealthPart>()
  const figures = new Map<string, { figure: Figure; label: string | undefined; value: number }>()
  const checks: ReturnType<typeof repeating>[] = []
  /** Parts that are down, or had an error since they were last found ok. */
  const outages = new Map<HealthPartName, Outage>()
  let stopped = false

  function mayLog(part: HealthPartName, state: HealthState = 'failing') {
    const outage = outages.get(part)
    const isWorse = outage && rank(state) > rank(outage.worst)
    if (outage && !isWorse && ticks() - outage.lastLine < REMIND_MS) {
      outage.suppressed++
      return undefined
    }
    const { since = ticks(), suppressed = 0, worst = state } = outage ?? {}
    const next = rank(state) > rank(worst) ? state : worst
    outages.set(part, { since, lastLine: ticks(), suppressed: 0, worst: next })
    return { suppressed }
  }

  function logChange(part: HealthPartName, before: HealthState, after: HealthState, why: string) {
    const { label } = HEALTH_PARTS[part]
    if (after !== 'ok') {
      const line = mayLog(part, after)
      const level = after === 'failing' ? 'error' : 'warn'
      if (line) log?.[level]({ part, why, ...line }, `${label}: ${after}`)
      return
    }
    const outage = outages.get(part)
    if (!outage || (before === 'ok' && ticks() - outage.lastLine < SAME_MS)) return
    outages.delete(part)
    if (before === 'ok') return
    const seconds = Math.round((ticks() - outage.since) / 1_000)
    log?.info({ part, seconds, suppressed: outage.suppressed }, `${label}: ok again`)
  }

  function report(part: HealthPartName, state: HealthState, said?: string, stored?: Stored[]) {
    const at = new Date(now()).toISOString()
    const before = parts.get(part)
    const sentence = said === undefined ? null : withoutCredentials(said).slice(0, MAX_SENTENCE)
    parts.set(part, {
      part,
      state,
      since: before?.state === state ? before.since : at,
      sentence,
      last_error:
        state === 'ok' ? (before?.last_error ?? null) : { at, sentence: sentence ?? t('Failed') },
      checked_at: at,
      ...(stored && { stored }),
    })
    logChange(part, before?.state ?? 'ok', state, sentence ?? '')
  }

  /** Runs a check within its time limit and reports the result. */
  async function runOnce({ part, limit_ms = LIMIT_MS, run }: Check) {
    let found: Finding | undefined
    try {
      found = await withLimit(limit_ms, run())
    } catch (error) {
      found = { state: 'failing', sentence: sentenceOf(error, limit_ms) }
    }
    if (found && !stopped) report(part, found.state, found.sentence, found.stored)
  }

  return {
    report,
    mayLog,
    parts: () => [...parts.values()],
    measure(figure, value, label) {
      figures.set(`${figure} ${label}`, { figure, label, value })
    },
    count(figure, label) {
      const value = (figures.get(`${figure} ${label}`)?.value ?? 0) + 1
      figures.set(`${figure} ${label}`, { figure, label, value })
    },
    figures: () => [...figures.values()],
    watch(check) {
      checks.push(repeating(check, () => runOnce(check), ticks))
    },
    start() {
      for (const check of checks) check.start()
    },
    async check(wanted) {
      const some = checks.filter(({ part }) => wanted?.includes(part) ?? true)
      await Promise.all(some.map((check) => check.now()))
    },
    async stop() {
      const ended = Promise.all(checks.map((check) => check.stop()))
      await withLimit(STOP_MS, ended).catch((e) => {
        // a check changes nothing, so one that takes longer is left alone
        if (!(e instanceof NoAnswer)) throw e
      })
      stopped = true
    },
    draining: false,
  }
}

const rank = (state: HealthState) => HEALTH_STATES.indexOf(state)

/** Runs a check at intervals, and on request. Runs never overlap. */
function repeating(
  { part, every_ms, least_ms = LEAST_MS }: Check,
  run: () => Promise<void>,
  ticks: () => number,
) {
  let running: Promise<void> | undefined
  let ended = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const begin = () => {
    running ??= run().finally(() => {
      running = undefined
      ended = ticks()
    })
    return running
  }
  const pause = () => {
    // spread, so that several servers do not check at the same moment
    timer = setTimeout(round, every_ms * (0.9 + Math.random() * 0.2)).unref()
  }
  const round = async () => {
    await begin()
    if (!stopped) pause()
  }
  return {
    part,
    start: () => void round(),
    /** Resolves when the state is known that is at most `least_ms` old. */
    now: async () => {
      if (running || ticks() - ended >= least_ms) await begin()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

/** Thrown by a check that takes too long. */
class NoAnswer extends Error {
  override name = 'TimeoutError'
}

/**
 * Only time in which this process could run counts: while it is held up, as on a slow machine, it cannot hear an answer.
 * So the limit is waited for in parts, of which each counts for its length however late it ends.
 */
function withLimit<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const wait = (left: number) => {
      timer = setTimeout(
        () => {
          if (left > PART_MS) return wait(left - PART_MS)
          // what has come meanwhile is read first
          setImmediate(() => reject(new NoAnswer(t('no answer in time'))))
        },
        Math.min(left, PART_MS),
      )
    }
    wait(ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
