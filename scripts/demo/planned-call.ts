import type { Span } from './stories/trace.ts'
import type { Account, Application } from './world.ts'

export type PlannedCall = {
  call_sid: string
  sip_callid: string
  /** Call-ID of the parent, for a leg dialled by an application. */
  sip_parent_callid?: string
  trace_id: string
  account: Account
  application?: Application
  direction: 'inbound' | 'outbound'
  from: string
  to: string
  trunk: string
  /** The SBC, and who it talks to. */
  host: string
  remote_host: string
  /** Milliseconds since 1970. */
  at: number
  rings_after_ms: number
  status: number
  answered_at?: number
  ended_at: number
  ended_by: 'caller' | 'jambonz'
  reason: string
  /** Actions of the application and the caller. Only for calls that are traced. */
  story?: Story
}

/** Whole seconds from answer to end. */
export const lasting = ({ answered_at, ended_at }: PlannedCall) =>
  answered_at === undefined ? 0 : Math.round((ended_at - answered_at) / 1_000)

/** Who speaks when, in milliseconds from the start of the call. */
export type Speech = { side: 'caller' | 'platform'; from: number; to: number }
/** A leg that the application dialled. */
export type Dialled = {
  call_sid: string
  sip_callid: string
  user: string
  status: number
  at_ms: number
  answered_ms: number
  ended_ms: number
}
/** A component's report while the story happens. */
export type StoryAlert = { type: string; message: string; detail?: string; vendor?: string }

/** An event of a model’s vendor, in milliseconds from the start of the call. */
export type ModelEvent = { at: number; event: object }

export type Story = {
  spans: Span[]
  ended_ms: number
  ended_by: 'caller' | 'jambonz'
  speech: Speech[]
  alerts: StoryAlert[]
  dialled?: Dialled
  /** Events of a model session. */
  events?: ModelEvent[]
}
