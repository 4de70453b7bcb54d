import type { Application, Webhook } from '@switchroom/contract'
import type { Outbound } from '../../outbound/outbound.ts'

export type Members = Record<string, unknown>
/** A verb of an accepted list, its aliases resolved. */
export type Verb = { name: string; data: Members }

type SpeechColumn = Extract<
  keyof Application,
  `${string}speech_${'synthesis' | 'recognizer'}_${string}`
>

/** What a run needs to know of an application. */
export type RunApplication = Pick<
  Application,
  | 'application_sid'
  | 'account_sid'
  | 'service_provider_sid'
  | 'app_json'
  | 'env_vars'
  | 'use_for_fallback_speech'
  | SpeechColumn
> & {
  call_hook: Webhook | null
  call_status_hook: Webhook | null
  /** Of its account. */
  webhook_secret: string | null
}

export type RunOutbound = Pick<Outbound, 'fetch' | 'socket'>
