import {
  activeFields,
  allFields,
  CustomName,
  configSchema,
  customVendor,
  type Flag,
  fieldsIn,
  type Issue,
  isSet,
  issuesFrom,
  plainError,
  type SpeechCredential,
  t,
  type Vendor,
} from '@switchroom/contract'
import { jsonProblem } from './options-json'
import {
  choiceOf,
  fieldValue,
  placeOf,
  type SpeechValues,
  storedSecrets,
  type VendorValues,
} from './values'
import { vendorOfId } from './vendor-of-id'
import { voiceIssues } from './voice-values'

export const NO_USE = t('Select text-to-speech, speech-to-text or both')

const chosenVendor = (values: SpeechValues) => {
  const v = vendorOfId(values.vendor)
  const settings = values.settings[values.vendor]
  return v && settings ? { v, settings } : undefined
}

/** The fields that apply to these uses in this mode, without empty ones. */
export function configOf(v: Vendor, settings: VendorValues): Record<string, unknown> {
  const keys = Object.keys(activeFields(v, choiceOf(settings)))
  const entries = keys.map((key) => [key, fieldValue(v, settings, key)])
  return Object.fromEntries(entries.filter(([, value]) => isSet(value)))
}

const flag = (on: boolean): Flag => (on ? 1 : 0)

/** The members that every vendor has: uses and mode. */
const commonFields = ({ use_for_tts, use_for_stt, mode }: VendorValues) => ({
  use_for_tts: flag(use_for_tts),
  use_for_stt: flag(use_for_stt),
  ...(mode && { mode }),
})

export function createBody(values: SpeechValues, service_provider_sid: string) {
  const { v, settings } = chosenVendor(values) ?? {}
  return {
    ...(v && settings && { ...configOf(v, settings), ...commonFields(settings) }),
    vendor: v?.named ? customVendor(settings?.name.trim() ?? '') : values.vendor,
    account_sid: values.account_sid || null,
    service_provider_sid,
    label: values.label.trim() || null,
  }
}

/**
 * Cleared fields and fields of another mode are set to null. Secrets that were not typed again are left out,
 * and so are fields of a use that is turned off.
 */
export function updateBody(values: SpeechValues, row: SpeechCredential) {
  const { v, settings } = chosenVendor(values)!
  const config = configOf(v, settings)
  const modeFields = fieldsIn(v, settings.mode || null)
  const active = activeFields(v, choiceOf(settings))
  const isGone = (key: string) =>
    !(key in modeFields) || (key in active && fieldValue(v, settings, key) === '')
  const cleared = Object.keys(allFields(v)).filter((key) => isSet(row[key]) && isGone(key))
  return {
    ...config,
    ...Object.fromEntries(cleared.map((key) => [key, null])),
    ...commonFields(settings),
  }
}

/** Stored secrets that were not typed again. */
const unchangedSecrets = (v: Vendor, settings: VendorValues, row: SpeechCredential | undefined) =>
  row ? storedSecrets(v, row).filter((key) => fieldValue(v, settings, key) === undefined) : []

/** Validates the form by the contract's rules, with issues by the form's field names. */
export function check(values: SpeechValues, row?: SpeechCredential): Issue[] {
  const { v, settings } = chosenVendor(values) ?? {}
  if (!v || !settings) return [{ path: ['vendor'], message: t('Select a vendor') }]
  const path = ['settings', v.id]
  const { use_for_tts, use_for_stt, use_custom_voices, voices } = settings
  const named = CustomName.safeParse(settings.name, { error: plainError })
  return [
    ...(v.named && named.error
      ? [{ path: [...path, 'name'], message: named.error.issues[0]!.message }]
      : []),
    // neither is a choice where one was made before
    ...(row || v.does.length === 1 || use_for_tts || use_for_stt
      ? []
      : [{ path: [...path, `use_for_${v.does[0]}`], message: NO_USE }]),
    ...configIssues(v, settings, row),
    ...(v.customVoices && use_for_tts && use_custom_voices
      ? voiceIssues(voices, [...path, 'voices'])
      : []),
  ]
}

function configIssues(v: Vendor, settings: VendorValues, row: SpeechCredential | undefined) {
  const choice = choiceOf(settings)
  const keep = unchangedSecrets(v, settings, row)
  const fields = fieldsIn(v, choice.mode)
  const shown = activeFields(v, choice)
  // rules about several fields need to know what is stored and not sent
  const unsent = Object.keys(fields).filter((key) => keep.includes(key) || !(key in shown))
  const stored = Object.fromEntries(unsent.map((key) => [key, row?.[key]]))
  const config = { ...stored, ...configOf(v, settings) }
  // a mask is not a valid file
  const checked = Object.entries(config).filter(
    ([key, value]) => isSet(value) && !(keep.includes(key) && fields[key]?.kind === 'key_file'),
  )
  const parsed = configSchema(v, choice, keep).safeParse(Object.fromEntries(checked), {
    error: plainError,
  })
  return issuesFrom(parsed.error).map((issue) => {
    const key = String(issue.path[0])
    const text = fieldValue(v, settings, key)
    const at = fields[key]?.kind === 'json' && typeof text === 'string' && jsonProblem(text)
    return { message: at || issue.message, path: placeOf(v, settings.mode, key) }
  })
}

/** Maps the path of an issue to the form's field. */
export function fieldFor(path: Issue['path'], values: SpeechValues): Issue['path'] {
  const { v, settings } = chosenVendor(values) ?? {}
  const [key] = path
  if (!v || !settings || typeof key !== 'string') return path
  if (key === 'use_for_tts' || key === 'use_for_stt')
    return ['settings', v.id, v.does.length === 1 ? `use_for_${v.does[0]}` : key]
  if (key === 'vendor' && v.named) return ['settings', v.id, 'name']
  return key in activeFields(v, choiceOf(settings)) ? placeOf(v, settings.mode, key) : path
}
