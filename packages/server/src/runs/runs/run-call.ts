import { randomBytes, randomUUID } from 'node:crypto'
import {
  PLATFORM_VERSION,
  type RunStart,
  type RunStep,
  sipStatusText,
  t,
} from '@switchroom/contract'
import { type Call, type Caller, checkStopped, type Leg } from './call.ts'
import { firstMembers } from './call-members.ts'
import { setStatus } from './call-status.ts'
import { runClock } from './clock.ts'
import { exchange, isSocketUrl, type Reply } from './exchange.ts'
import { hangUp } from './hang-up.ts'
import { LIMITS, type Limits, RunOver } from './limits.ts'
import { runMasks } from './masks.ts'
import { readVerbs } from './read-verbs.ts'
import { isTooDeep, TOO_DEEP } from './received.ts'
import { recorder } from './recorder.ts'
import type { RunApplication, RunOutbound } from './run-application.ts'
import { runList } from './running-list.ts'
import { openSocket } from './session.ts'
import { noStreamedSpeech } from './streamed-speech.ts'
import { walk } from './walk.ts'

export type RunOptions = {
  application: RunApplication
  start: RunStart
  /** Through the outbound guard, and logged. */
  outbound: RunOutbound
  caller: Caller
  /** Version of the platform to imitate; `PLATFORM_VERSION` by default. */
  version?: string
  limits?: Partial<Limits>
  /** Called with each step as it happens. */
  onStep?: (step: RunStep) => void
  /** Ends the run. */
  stop?: AbortSignal
}

const TEMPORARILY_UNAVAILABLE = 480

/**
 * Calls an application without a telephone: plays the feature server until the call is over. Never rejects because of
 * the application, whose errors are in the resulting steps. The last step is `ended`.
 */
export async function runCall(options: RunOptions): Promise<RunStep[]> {
  const call = newCall(options)
  const { recorder: steps } = call
  try {
    await begin(call)
    await runList(call)
  } catch (e) {
    if (!(e instanceof RunOver)) throw e
    await giveUp(call, e.message)
  } finally {
    await call.socket?.close()
  }
  const { by, text, sip_status, sip_reason, x_reason } = call.ended!
  const is_answered = call.leg.answered_at !== undefined
  const status = is_answered || by === 'run' ? null : (sip_status ?? null)
  steps.add({
    kind: 'ended',
    by,
    text,
    sip_status: status,
    sip_reason: status === null ? null : (sip_reason ?? sipStatusText(status).slice(4)),
    x_reason: x_reason ?? null,
    is_answered,
  })
  return steps.steps
}

/** Ends a call that nobody hung up. The application is still told, as far as that goes, so that it lets go of the call. */
async function giveUp(call: Call, text: string) {
  const ended = { by: 'run' as const, text }
  call.failure = undefined
  call.counts.requests = 0
  await hangUp(call, ended).catch((e: unknown) => {
    if (!(e instanceof RunOver)) throw e
  })
  call.ended = ended
}

function newCall(options: RunOptions): Call {
  const { application, start, outbound, caller, onStep, stop } = options
  const limits = { ...LIMITS, ...options.limits }
  const clock = runClock(limits)
  const { call_hook, call_status_hook } = application
  return {
    application,
    start,
    version: options.version ?? PLATFORM_VERSION,
    limits,
    clock,
    recorder: recorder(clock, runMasks(application, limits.kept_bytes), limits, onStep),
    outbound,
    caller,
    stop: stop ?? new AbortController().signal,
    trace_id: randomBytes(16).toString('hex'),
    sbc_callid: `${randomUUID()}@203.0.113.9`,
    leg: firstLeg(start),
    side: 'caller',
    isCalledGone: false,
    dialed: [],
    base: call_hook,
    statusHook: call_status_hook,
    list: [],
    walk,
    commands: [],
    interrupt: new AbortController(),
    counts: { verbs: 0, requests: 0 },
    streamed: noStreamedSpeech(),
    settings: { synthesizer: {}, recognizer: {}, notifyEvents: false },
  }
}

const firstLeg = ({ from, to }: RunStart): Leg => ({
  call_sid: randomUUID(),
  direction: 'inbound',
  from,
  to,
  call_id: `${randomUUID()}@10.0.0.5`,
  call_status: 'trying',
  sip_status: 100,
  sip_reason: 'Trying',
})

/** Gets the first verbs. An application that gives none has its call refused, and hears nothing more of it. */
async function begin(call: Call) {
  checkStopped(call)
  const { base, application, version } = call
  if (version !== PLATFORM_VERSION)
    call.recorder.event('info', t('The rules of platform version {version} apply.', { version }))
  if (!application.app_json && !base) return refuse(call, 'no configured application')
  if (base && isSocketUrl(base.url)) call.socket = openSocket(call, base)
  const reply = application.app_json
    ? fixedVerbs(call, application.app_json)
    : await askForVerbs(call)
  const { verbs, problem } = reply
  if (problem) return refuse(call, problem.reason, problem.text)
  if (!verbs) return refuse(call, 'malformed jambonz payload: must be array')
  if (verbs.length === 0) return refuse(call, 'no application provided')
  call.list = verbs
  await setStatus(call, call.leg, 'trying', 100)
}

function askForVerbs(call: Call) {
  const { base } = call
  return exchange(call, {
    name: 'session:new',
    hook: base,
    data: firstMembers(call),
    expects: 'verbs',
  })
}

/** The verbs stored in the application itself, which replace its webhook. */
function fixedVerbs(call: Call, app_json: string): Pick<Reply, 'verbs' | 'problem'> {
  call.recorder.event(
    'info',
    t('The application has its own JSON, so its calling webhook is skipped.'),
  )
  if (isTooDeep(app_json)) return { problem: { text: TOO_DEEP } }
  try {
    const { verbs, problem, reason } = readVerbs(call, JSON.parse(app_json))
    return problem
      ? { problem: { text: problem.text, reason: reason ?? problem.text } }
      : { verbs: verbs ?? [] }
  } catch {
    return { problem: { text: t('Not valid JSON') } }
  }
}

async function refuse(call: Call, x_reason: string | undefined, text = x_reason ?? '') {
  await call.socket?.close(1001)
  call.ended = {
    by: 'platform',
    text: t('The platform rejects the call: {reason}', { reason: text }),
    sip_status: TEMPORARILY_UNAVAILABLE,
    ...(x_reason !== undefined && { x_reason }),
  }
}
