import { type Answer, type Question, type RunStart, t, type Webhook } from '@switchroom/contract'
import type { AppSocket } from './app-socket.ts'
import type { Clock } from './clock.ts'
import { type Limits, RunOver } from './limits.ts'
import type { Recorder } from './recorder.ts'
import type { Members, RunApplication, RunOutbound, Verb } from './run-application.ts'
import type { Command } from './socket-messages.ts'
import type { WalkedVerb } from './walkable.ts'

/**
 * Answers the application's questions. The signal aborts when the application moves on, or the run is stopped: an
 * answer is then useless. Rejecting with `RunOver` ends the run.
 */
export type Caller = { ask: (question: Question, signal: AbortSignal) => Promise<Answer> }

/** One side of the call as its application sees it: the caller's, or one that was dialed. */
export type Leg = {
  call_sid: string
  parent_call_sid?: string
  direction: 'inbound' | 'outbound'
  from: string
  to: string
  call_id: string
  caller_id?: string
  call_status: string
  sip_status: number
  sip_reason: string
  call_termination_by?: 'caller' | 'jambonz'
  /** Whole seconds, of a completed leg. */
  duration?: number
  /** On the run's clock. */
  answered_at?: number
}

export type Ended = {
  by: 'caller' | 'application' | 'platform' | 'run'
  text: string
  sip_status?: number
  sip_reason?: string
  x_reason?: string
}

/** A call under way, as the feature server keeps one. */
export type Call = {
  application: RunApplication
  start: RunStart
  /** Version of the platform. */
  version: string
  limits: Limits
  clock: Clock
  recorder: Recorder
  outbound: RunOutbound
  caller: Caller
  /** Aborts when the tester stops the run. */
  stop: AbortSignal
  trace_id: string
  sbc_callid: string
  leg: Leg
  /** The party that the running verbs speak to. */
  side: 'caller' | 'called'
  /** Set while verbs of a hook are played beside something else. */
  nested?: 'queue' | 'conference' | 'hold' | 'confirm' | 'delay' | undefined
  /** Runs a verb: given, since some verbs run others. */
  walk: (call: Call, verb: Verb) => Promise<void>
  /** The dialed party hung up during its own verbs. */
  isCalledGone: boolean
  /** The verb that runs. */
  running?: WalkedVerb | undefined
  /** Parties that are dialed, or were. */
  dialed: Leg[]
  /** The dialed party that the caller talks with. */
  bridged?: Leg | undefined
  customerData?: Members
  /** Base URL of relative hooks, whose credentials are sent with every request. */
  base: Webhook | null
  statusHook: Webhook | null
  /** Open while the application is one over WebSocket. */
  socket?: AppSocket
  /** Verbs that are still to come. */
  list: Verb[]
  /** Set at the end: no more questions to the tester, and no more verbs. */
  ended?: Ended
  /** Rules of the latest gather about an application that responds late. */
  delay?: Members | undefined
  /** True if no verb is running: the call waits for the WebSocket application. */
  isIdle?: boolean
  /** The connection to a WebSocket application is lost for good. */
  isLost?: boolean
  /** Error that ends the run, raised where nothing waits for it. */
  failure?: unknown
  /** Commands that wait for the running verb, or for the next one. */
  commands: Command[]
  /** Commands for the caller's call, while that of a dialed party runs. */
  outer?: Command[] | undefined
  /** Aborts when the application replaces what is running. */
  interrupt: AbortController
  counts: { verbs: number; requests: number }
  streamed: StreamedSpeech
  /** Settings of `config`. */
  settings: Settings
}

export type Settings = {
  synthesizer: Members
  recognizer: Members
  notifyEvents: boolean
  bargeIn?: Members | undefined
  actionHookDelay?: Members | undefined
  /** The transcription in the background. */
  transcribe?: Members | undefined
}

/** Text of a WebSocket application that comes piece by piece. */
export type StreamedSpeech = {
  /** Since `config` says so. */
  isOn: boolean
  synthesizer?: unknown
  /** True while a verb says the streamed text. */
  isInVerb: boolean
  /** Not spoken yet. */
  text: string
  /** The application was told to wait. */
  isPaused: boolean
  /** Number of texts spoken. */
  spoken: number
}

/** Throws once the tester stopped the run. */
export function checkStopped({ stop }: Call) {
  if (stop.aborted) throw new RunOver(STOPPED)
}
export const STOPPED = t('The run was stopped.')

export const isAnswered = ({ leg }: Call) => leg.answered_at !== undefined
export const isInterrupted = (call: Call) =>
  call.ended !== undefined || call.interrupt.signal.aborted
