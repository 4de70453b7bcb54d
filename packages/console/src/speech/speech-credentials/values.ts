import {
  allFields,
  defaultMode,
  type Field,
  type Fields,
  type GoogleCustomVoice,
  isCustomVendor,
  isSecret,
  isSet,
  modeOf,
  type SpeechCredential,
  type Vendor,
  vendors,
} from '@switchroom/contract'
import { vendorName } from './vendor-name'
import { vendorOfId } from './vendor-of-id'
import { type VoiceValues, voiceValues } from './voice-values'

type FieldValue = string | boolean | undefined
type FieldValues = Record<string, FieldValue>

/** Form values of one vendor. Each mode keeps its own, so that switching back restores them. */
export type VendorValues = {
  use_for_tts: boolean
  use_for_stt: boolean
  mode: string
  /** Name of a custom vendor. */
  name: string
  /** Fields of every mode. */
  fields: FieldValues
  modes: Record<string, FieldValues>
  use_custom_voices: boolean
  voices: VoiceValues[]
}

export type SpeechValues = {
  vendor: string
  account_sid: string
  label: string
  /** By vendor, so that switching back restores what was typed, but for what is cleared. */
  settings: Record<string, VendorValues>
}

export const usesOf = ({ use_for_tts, use_for_stt }: VendorValues) => ({
  tts: use_for_tts,
  stt: use_for_stt,
})
export const choiceOf = (values: VendorValues) => ({
  ...usesOf(values),
  mode: values.mode || null,
})

/** The path of a field in the form: shared by all modes, or of one mode. */
export const placeOf = (vendor: Vendor, mode: string, key: string): string[] => {
  const shared = vendor.fields && key in vendor.fields
  return ['settings', vendor.id, ...(shared ? ['fields'] : ['modes', mode]), key]
}

export const fieldValue = (vendor: Vendor, values: VendorValues, key: string): FieldValue =>
  vendor.fields && key in vendor.fields ? values.fields[key] : values.modes[values.mode]?.[key]

function blank(f: Field): FieldValue {
  if (f.kind === 'toggle') return false
  // JSON options get their default when opened, models when the list has loaded
  return f.kind === 'select' ? (f.default ?? '') : ''
}

function storedValue(f: Field, raw: unknown): FieldValue {
  if (!isSet(raw)) return blankStored(f)
  // undefined keeps the stored secret, which the console never gets
  if (isSecret(f)) return undefined
  if (f.kind === 'toggle') return raw === true || raw === 1 || raw === 'true' || raw === '1'
  return typeof raw === 'object' ? JSON.stringify(raw) : String(raw)
}

const blankStored = (f: Field): FieldValue => (f.kind === 'toggle' ? false : '')

const mapFields = (fields: Fields | undefined, value: (f: Field, key: string) => FieldValue) =>
  Object.fromEntries(Object.entries(fields ?? {}).map(([key, f]) => [key, value(f, key)]))

function blankVendor(v: Vendor): VendorValues {
  const only = v.does.length === 1
  return {
    use_for_tts: only && v.does[0] === 'tts',
    use_for_stt: only && v.does[0] === 'stt',
    mode: defaultMode(v) ?? '',
    name: '',
    fields: mapFields(v.fields, blank),
    modes: Object.fromEntries(
      Object.entries(v.modes ?? {}).map(([mode, m]) => [mode, mapFields(m.fields, blank)]),
    ),
    use_custom_voices: false,
    voices: [],
  }
}

export const blankValues = (account_sid: string): SpeechValues => ({
  vendor: '',
  account_sid,
  label: '',
  settings: Object.fromEntries(Object.values(vendors).map((v) => [v.id, blankVendor(v)])),
})

/** Fields that the specification clears when another vendor is chosen. */
const CLEARED = /^(?:(?:aws|tts|stt)_)?region$|^(?:(?:tts|stt)_)?api_key$|^service_key$/

/** The settings without what is cleared once their vendor is left. */
export function leftBehind(vendor: string, settings: VendorValues): VendorValues {
  const v = vendorOfId(vendor)
  if (!v) return settings
  const blanks = blankVendor(v)
  const cleared = (values: FieldValues, from: FieldValues | undefined) => ({
    ...values,
    ...Object.fromEntries(
      Object.keys(values)
        .filter((key) => CLEARED.test(key))
        .map((key) => [key, from?.[key]]),
    ),
  })
  return {
    ...settings,
    fields: cleared(settings.fields, blanks.fields),
    modes: Object.fromEntries(
      Object.entries(settings.modes).map(([mode, values]) => [
        mode,
        cleared(values, blanks.modes[mode]),
      ]),
    ),
  }
}

/** Names of the stored secrets. */
export const storedSecrets = (v: Vendor, row: SpeechCredential) =>
  Object.entries(allFields(v))
    .filter(([key, f]) => isSecret(f) && isSet(row[key]))
    .map(([key]) => key)

/** Form values of a stored credential; its secrets stay on the server. */
export function valuesOf(
  v: Vendor,
  row: SpeechCredential,
  voices: readonly GoogleCustomVoice[] = [],
): SpeechValues {
  const use_for_tts = row.use_for_tts === 1
  const use_for_stt = row.use_for_stt === 1
  const config = Object.fromEntries(Object.keys(allFields(v)).map((key) => [key, row[key]]))
  const mode = modeOf(v, { tts: use_for_tts, stt: use_for_stt }, config) ?? ''
  const read = (f: Field, key: string) => storedValue(f, config[key])
  // secrets are stored by name, for all modes
  const other = (f: Field, key: string) =>
    isSecret(f) && isSet(config[key]) ? undefined : blank(f)
  const modes = Object.entries(v.modes ?? {}).map(
    ([name, { fields }]) => [name, mapFields(fields, name === mode ? read : other)] as const,
  )
  return {
    vendor: v.id,
    account_sid: row.account_sid ?? '',
    label: row.label ?? '',
    settings: {
      [v.id]: {
        use_for_tts,
        use_for_stt,
        mode,
        name: isCustomVendor(row.vendor) ? vendorName(row.vendor) : '',
        fields: mapFields(v.fields, read),
        modes: Object.fromEntries(modes),
        use_custom_voices: voices.length > 0,
        voices: voices.map(voiceValues),
      },
    },
  }
}
