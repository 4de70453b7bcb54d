import {
  customNameOf,
  isCustomVendor,
  LOCALE,
  SPEECH_VENDORS,
  type SpeechCatalogue,
  type SpeechCredentialItem,
  t,
  type Use,
  vendorOf,
} from '@switchroom/contract'

export type Option = { value: string; label: string }
type NamedValue = { value: string; name: string }

/** The choices for one direction of speech, and the account they are for. */
export type SpeechChoice = { vendor: string; label: string; account_sid: string; use: Use }

/** Adds the stored value to the options if it is no longer offered. */
export const withStoredOption = <O extends Option>(options: O[], stored: string): (O | Option)[] =>
  stored === '' || options.some((o) => o.value === stored)
    ? options
    : [{ value: stored, label: stored }, ...options]

const customName = (vendor: string) =>
  t('{customName} (custom)', { customName: customNameOf(vendor) })

export const vendorName = (vendor: string) =>
  isCustomVendor(vendor) ? customName(vendor) : (vendorOf(vendor)?.name ?? vendor)

/** The credentials an account may use in one direction: its own and its provider's. */
const usableCredentials = (
  all: readonly SpeechCredentialItem[],
  { account_sid, use }: Omit<SpeechChoice, 'vendor' | 'label'>,
) => all.filter((c) => (!c.account_sid || c.account_sid === account_sid) && c[`use_for_${use}`])

/** The vendors for one direction: built-in, then custom ones, plus the stored one if it is neither. */
export function vendorOptions(
  all: readonly SpeechCredentialItem[],
  { vendor, ...of }: Omit<SpeechChoice, 'label'>,
): Option[] {
  const builtIn: Option[] = SPEECH_VENDORS.filter((v) => v[of.use] && vendorOf(v.id)).map(
    ({ id, name }) => ({
      value: id,
      label: name,
    }),
  )
  const custom = [...new Set(usableCredentials(all, of).map((c) => c.vendor))]
    .filter(isCustomVendor)
    .map((value) => ({ value, label: customName(value) }))
    .sort((a, b) => a.label.localeCompare(b.label))
  const offered = [...builtIn, ...custom]
  return vendor === '' || offered.some((o) => o.value === vendor)
    ? offered
    : [...offered, { value: vendor, label: vendorName(vendor) }]
}

/**
 * The labels to choose from, `None` first if a credential has no label. A stored label without a credential is
 * kept and marked, since the platform would find no credential. Empty when there is nothing to choose.
 */
export function labelOptions(all: readonly SpeechCredentialItem[], chosen: SpeechChoice): Option[] {
  const labels = new Set(
    usableCredentials(all, chosen).flatMap((c) =>
      c.vendor === chosen.vendor ? [c.label ?? ''] : [],
    ),
  )
  const offered = [...labels]
    .sort((a, b) => a.localeCompare(b))
    .map((value) => ({ value, label: value || t('None') }))
  if (labels.has(chosen.label) || (offered.length === 0 && chosen.label === '')) return offered
  const missing = t('{label} (not found)', { label: chosen.label || t('None') })
  return [{ value: chosen.label, label: missing }, ...offered]
}

/** The label preselected with a vendor: none, if it has a credential without a label. */
export const defaultLabel = (
  all: readonly SpeechCredentialItem[],
  chosen: Omit<SpeechChoice, 'label'>,
) => {
  const labels = usableCredentials(all, chosen)
    .filter((c) => c.vendor === chosen.vendor)
    .map((c) => c.label ?? '')
  return labels.sort((a, b) => a.localeCompare(b))[0] ?? ''
}

/** The credential the platform would use: same vendor, exactly this label, the account's own first. */
export function credentialFor(all: readonly SpeechCredentialItem[], chosen: SpeechChoice) {
  const matching = usableCredentials(all, chosen).filter(
    (c) => c.vendor === chosen.vendor && (c.label ?? '') === chosen.label,
  )
  return matching.find((c) => c.account_sid) ?? matching[0]
}

/** Why the platform will ignore a credential, if it will. */
export function ignoredReason(credential: SpeechCredentialItem, use: Use) {
  const vendor = vendorOf(credential.vendor)
  if (!vendor?.mustPass || credential[`${use}_tested_ok`]) return
  return t('The platform ignores a {name} credential until its test succeeds.', {
    name: vendor.name,
  })
}

/** True if the vendor has models for all languages instead of voices for each. */
export const listsModels = (vendor: string) => vendorOf(vendor)?.speaking?.models === true
/** True if the vendor has lists of languages and voices. */
export const isListed = (vendor: string) => vendor !== '' && !vendorOf(vendor)?.unlisted
/** True if the vendor recognizes more than one language. */
export const isMultilingual = (vendor: string) => !vendorOf(vendor)?.listening?.monolingual

/** True if a voice of this vendor can be typed, at least with some credentials. */
export const mayTypeVoice = (vendor: string) =>
  !isListed(vendor) || vendorOf(vendor)?.speaking?.typedWith !== undefined
/** True if a voice is typed with this credential, although its vendor has lists. */
export function isVoiceTyped(vendor: string, credential: SpeechCredentialItem | undefined) {
  const { typedWith } = vendorOf(vendor)?.speaking ?? {}
  return typedWith !== undefined && Boolean(credential?.[typedWith])
}

/** The voices for a language. Some vendors list multilingual voices below one language only. */
export function voicesOf(
  vendor: string,
  catalogue: SpeechCatalogue,
  language: string,
): NamedValue[] {
  if (listsModels(vendor)) return catalogue.models ?? []
  const all = catalogue.tts ?? []
  const { voicesBelow } = vendorOf(vendor)?.speaking ?? {}
  const shared = voicesBelow === '*' ? all[0] : all.find((l) => l.value === voicesBelow)
  return (shared ?? all.find((l) => l.value === language))?.voices ?? []
}

const collator = new Intl.Collator(LOCALE)
export const byName = (list: readonly NamedValue[]): Option[] =>
  list
    .map(({ value, name }) => ({ value, label: name }))
    .sort((a, b) => collator.compare(a.label, b.label))

type CustomVoice = { google_custom_voice_sid: string; name: string }

/** A credential's custom voices, with the values the platform knows them by. */
export const customVoices = (voices: readonly CustomVoice[]): NamedValue[] =>
  voices.map((v) => ({
    value: `custom_${v.google_custom_voice_sid}`,
    name: t('{name} (Custom)', { name: v.name }),
  }))
