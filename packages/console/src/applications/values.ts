import { type Application, t } from '@switchroom/contract'
import { ownAccount } from '../lib/access'
import { config } from '../lib/config'
import { accountIssues } from '../lib/needs-account'
import { keysOf } from '../lib/records'
import { hookIssues, hookToSend, hookValues } from '../tenants/webhook-fields'
import { cachedSchema } from './app-env'
import { environmentIssues, environmentToSend } from './environment'
import { mayTypeVoice } from './speech-choices'
import { PRESET } from './speech-defaults'
import { verbsProblem } from './verbs'

const SPEECH = {
  speech_synthesis_vendor: PRESET.vendor,
  speech_synthesis_label: '',
  speech_synthesis_language: PRESET.language,
  speech_synthesis_voice: PRESET.voice,
  speech_recognizer_vendor: PRESET.vendor,
  speech_recognizer_label: '',
  speech_recognizer_language: PRESET.language,
}
type Primary = typeof SPEECH
type Prefix = '' | 'fallback_'

const eachPart = <P extends Prefix, V>(prefix: P, value: (part: keyof Primary) => V) =>
  // TypeScript cannot follow the prefixed keys through `fromEntries`
  Object.fromEntries(keysOf(SPEECH).map((part) => [`${prefix}${part}`, value(part)])) as {
    [K in keyof Primary as `${P}${K}`]: V
  }

const primaryOf = (a?: Application) => eachPart('', (part) => (a ? (a[part] ?? '') : SPEECH[part]))

/** The stored fallback, else the defaults to start from. */
const fallbackOf = (a?: Application) =>
  eachPart('fallback_', (part) =>
    a?.fallback_speech_synthesis_vendor || a?.fallback_speech_recognizer_vendor
      ? (a[`fallback_${part}`] ?? '')
      : SPEECH[part],
  )

export const valuesOf = (a?: Application) => ({
  name: a?.name ?? '',
  account_sid: a?.account_sid ?? ownAccount() ?? '',
  call_hook: hookValues(a?.call_hook ?? null),
  call_status_hook: hookValues(a?.call_status_hook ?? null),
  env_vars: a?.env_vars ?? {},
  ...primaryOf(a),
  use_for_fallback_speech: a?.use_for_fallback_speech === 1,
  ...fallbackOf(a),
  has_app_json: !!a?.app_json,
  app_json: a?.app_json ?? '',
  record_all_calls: a?.record_all_calls === 1,
})
export type Values = ReturnType<typeof valuesOf>

export function toBody(v: Values) {
  const { has_app_json, app_json, record_all_calls, ...rest } = v
  return {
    ...rest,
    ...(!v.use_for_fallback_speech && eachPart('fallback_', () => null)),
    ...(!config.DISABLE_CALL_RECORDING && { record_all_calls }),
    call_hook: hookToSend(v.call_hook),
    call_status_hook: hookToSend(v.call_status_hook),
    env_vars: environmentToSend(v.env_vars, cachedSchema(v.call_hook.url)),
    app_json: has_app_json ? app_json : null,
  }
}

/** A voice that is typed is required. */
const voiceIssues = (v: Values, prefix: Prefix) => {
  const field = `${prefix}speech_synthesis_voice` as const
  const missing = !v[field] && mayTypeVoice(v[`${prefix}speech_synthesis_vendor`])
  return missing ? [{ path: [field], message: t('Required') }] : []
}

export function issuesOf(v: Values) {
  const verbs = v.has_app_json ? verbsProblem(v.app_json) : undefined
  return [
    ...accountIssues(v),
    ...hookIssues('call_hook', v.call_hook),
    ...hookIssues('call_status_hook', v.call_status_hook),
    ...environmentIssues(v.env_vars, cachedSchema(v.call_hook.url)),
    ...voiceIssues(v, ''),
    ...(v.use_for_fallback_speech ? voiceIssues(v, 'fallback_') : []),
    ...(verbs ? [{ path: ['app_json'], message: verbs }] : []),
  ]
}

/** Exchanges primary and fallback as they are, without picking new defaults. */
export const swapFallback = (v: Values) => ({
  ...eachPart('', (part) => v[`fallback_${part}`]),
  ...eachPart('fallback_', (part) => v[part]),
})
