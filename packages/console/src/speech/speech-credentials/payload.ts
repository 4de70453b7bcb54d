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
  type Vendor,
} from '@switchroom/contract'
import { jsonProblem } from './options-json'
import {
  choiceOf,
  fieldValue,
  keptSecrets,
  placeOf,
  type SpeechValues,
  type VendorValues,
  vendorOfId,
} from './values'
import { voiceIssues } from './voice-values'

export const NO_USE = 'Select text-to-speech, speech-to-text or both'

const chosen = (values: SpeechValues) => {
  const v = vendorOfId(values.vendor)
  const settings = values.settings[values.vendor]
  return v && settings ? { v, settings } : undefined
}

/** What is asked of the vendor for these uses in this mode, and nothing else: without what is empty. */
export function configOf(v: Vendor, settings: VendorValues): Record<string, unknown> {
  const keys = Object.keys(activeFields(v, choiceOf(settings)))
  const entries = keys.map((key) => [key, fieldValue(v, settings, key)])
  return Object.fromEntries(entries.filter(([, value]) => isSet(value)))
}

const flag = (on: boolean): Flag => (on ? 1 : 0)

/** What it is for and how it connects. */
const common = ({ use_for_tts, use_for_stt, mode }: VendorValues) => ({
  use_for_tts: flag(use_for_tts),
  use_for_stt: flag(use_for_stt),
  ...(mode && { mode }),
})

export function createBody(values: SpeechValues, service_provider_sid: string) {
  const { v, settings } = chosen(values) ?? {}
  return {
    ...(v && settings && { ...configOf(v, settings), ...common(settings) }),
    vendor: v?.named ? customVendor(settings?.name.trim() ?? '') : values.vendor,
    account_sid: values.account_sid || null,
    service_provider_sid,
    label: values.label.trim() || null,
  }
}

/**
 * What was emptied and what belongs to another mode is taken away; a secret that nobody has typed anew is
 * left out, and so is what a use asked for that is off now.
 */
export function updateBody(values: SpeechValues, row: SpeechCredential) {
  const { v, settings } = chosen(values)!
  const config = configOf(v, settings)
  const here = fieldsIn(v, settings.mode || null)
  const active = activeFields(v, choiceOf(settings))
  const isGone = (key: string) =>
    !(key in here) || (key in active && fieldValue(v, settings, key) === '')
  const cleared = Object.keys(allFields(v)).filter((key) => isSet(row[key]) && isGone(key))
  return {
    ...config,
    ...Object.fromEntries(cleared.map((key) => [key, null])),
    ...common(settings),
  }
}

/** Secrets that need not be typed: they are stored, and nothing was typed in their place. */
const kept = (v: Vendor, settings: VendorValues, row: SpeechCredential | undefined) =>
  row ? keptSecrets(v, row).filter((key) => fieldValue(v, settings, key) === undefined) : []

/** What is missing or does not fit, by the form's names: the contract's rules, before anything is sent. */
export function check(values: SpeechValues, row?: SpeechCredential): Issue[] {
  const { v, settings } = chosen(values) ?? {}
  if (!v || !settings) return [{ path: ['vendor'], message: 'Select a vendor' }]
  const path = ['settings', v.id]
  const { use_for_tts, use_for_stt, use_custom_voices, voices } = settings
  const named = CustomName.safeParse(settings.name, { error: plainError })
  return [
    ...(v.named && named.error
      ? [{ path: [...path, 'name'], message: named.error.issues[0]!.message }]
      : []),
    ...(use_for_tts || use_for_stt
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
  const keep = kept(v, settings, row)
  // a rule about several fields asks whether a secret is there, not what it is
  const stored = Object.fromEntries(keep.map((key) => [key, row?.[key]]))
  const config = { ...stored, ...configOf(v, settings) }
  const fields = activeFields(v, choice)
  const parsed = configSchema(v, choice, keep).safeParse(withoutFiles(fields, config, keep), {
    error: plainError,
  })
  return issuesFrom(parsed.error).map((issue) => {
    const key = String(issue.path[0])
    const text = fieldValue(v, settings, key)
    const at = fields[key]?.kind === 'json' && typeof text === 'string' && jsonProblem(text)
    return { message: at || issue.message, path: placeOf(v, settings.mode, key) }
  })
}

/** A stored key file is known by its mask only, which is no file. */
const withoutFiles = (
  fields: ReturnType<typeof activeFields>,
  config: Record<string, unknown>,
  keep: readonly string[],
) =>
  Object.fromEntries(
    Object.entries(config).filter(
      ([key]) => key in fields && !(keep.includes(key) && fields[key]!.kind === 'key_file'),
    ),
  )

/** Where the form shows what the wire calls this. */
export function fieldFor(path: Issue['path'], values: SpeechValues): Issue['path'] {
  const { v, settings } = chosen(values) ?? {}
  const [key] = path
  if (!v || !settings || typeof key !== 'string') return path
  if (key === 'use_for_tts' || key === 'use_for_stt')
    return ['settings', v.id, v.does.length === 1 ? `use_for_${v.does[0]}` : key]
  if (key === 'vendor' && v.named) return ['settings', v.id, 'name']
  return key in activeFields(v, choiceOf(settings)) ? placeOf(v, settings.mode, key) : path
}
