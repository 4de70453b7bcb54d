import {
  customNameOf,
  isCustomVendor,
  SPEECH_VENDORS,
  type SpeechCatalogue,
  type SpeechCredentialItem,
  type Use,
  vendorOf,
} from '@switchroom/contract'

export type Option = { value: string; label: string }
type Named = { value: string; name: string }

/** What is chosen of one direction, and for whom. */
export type Chosen = { vendor: string; label: string; account_sid: string; use: Use }

/** What is stored is among the options, whatever is offered by now. */
export const withStored = <O extends Option>(options: O[], stored: string): (O | Option)[] =>
  stored === '' || options.some((o) => o.value === stored)
    ? options
    : [{ value: stored, label: stored }, ...options]

const customName = (vendor: string) => `${customNameOf(vendor)} (custom)`

export const vendorName = (vendor: string) =>
  isCustomVendor(vendor) ? customName(vendor) : (vendorOf(vendor)?.name ?? vendor)

/** The credentials that an account may use in one direction: its own, and its provider's. */
const usable = (
  all: readonly SpeechCredentialItem[],
  { account_sid, use }: Omit<Chosen, 'vendor' | 'label'>,
) => all.filter((c) => (!c.account_sid || c.account_sid === account_sid) && c[`use_for_${use}`])

/** The vendors for one direction, those which the account brought along last, and the one that is stored. */
export function vendorOptions(
  all: readonly SpeechCredentialItem[],
  { vendor, ...of }: Omit<Chosen, 'label'>,
): Option[] {
  const builtIn: Option[] = SPEECH_VENDORS.filter((v) => v[of.use] && vendorOf(v.id)).map(
    ({ id, name }) => ({
      value: id,
      label: name,
    }),
  )
  const custom = [...new Set(usable(all, of).map((c) => c.vendor))]
    .filter(isCustomVendor)
    .map((value) => ({ value, label: customName(value) }))
    .sort((a, b) => a.label.localeCompare(b.label))
  const offered = [...builtIn, ...custom]
  return vendor === '' || offered.some((o) => o.value === vendor)
    ? offered
    : [...offered, { value: vendor, label: vendorName(vendor) }]
}

/**
 * The labels to choose from, `None` first where a credential has none. A label that is stored and that no
 * credential has stays, and says so: the platform would find no credential. Empty: nothing to choose.
 */
export function labelOptions(all: readonly SpeechCredentialItem[], chosen: Chosen): Option[] {
  const labels = new Set(
    usable(all, chosen).flatMap((c) => (c.vendor === chosen.vendor ? [c.label ?? ''] : [])),
  )
  const offered = [...labels]
    .sort((a, b) => a.localeCompare(b))
    .map((value) => ({ value, label: value || 'None' }))
  if (labels.has(chosen.label) || (offered.length === 0 && chosen.label === '')) return offered
  const missing = `${chosen.label || 'None'} (not found)`
  return [{ value: chosen.label, label: missing }, ...offered]
}

/** The label that a vendor is first given: none, where it has a credential without. */
export const firstLabel = (all: readonly SpeechCredentialItem[], chosen: Omit<Chosen, 'label'>) => {
  const labels = usable(all, chosen)
    .filter((c) => c.vendor === chosen.vendor)
    .map((c) => c.label ?? '')
  return labels.sort((a, b) => a.localeCompare(b))[0] ?? ''
}

/** The credential that the platform takes: same vendor, exactly this label, the account's own first. */
export function credentialFor(all: readonly SpeechCredentialItem[], chosen: Chosen) {
  const matching = usable(all, chosen).filter(
    (c) => c.vendor === chosen.vendor && (c.label ?? '') === chosen.label,
  )
  return matching.find((c) => c.account_sid) ?? matching[0]
}

/** Why a credential does not help at a call, or nothing. */
export function ignored(credential: SpeechCredentialItem, use: Use) {
  const vendor = vendorOf(credential.vendor)
  if (!vendor?.mustPass || credential[`${use}_tested_ok`]) return
  return `The platform ignores a ${vendor.name} credential until its test succeeds.`
}

/** Whether it speaks with models, whatever the language, rather than with voices. */
export const choosesModel = (vendor: string) => vendorOf(vendor)?.speaking?.models === true
/** Whether a vendor has lists to choose from. */
export const isListed = (vendor: string) => vendor !== '' && !vendorOf(vendor)?.unlisted
/** Whether it listens to more than one language. */
export const hearsLanguages = (vendor: string) => !vendorOf(vendor)?.listening?.monolingual

/** Whether a voice of it is typed, by some credential at least. */
export const mayType = (vendor: string) =>
  !isListed(vendor) || vendorOf(vendor)?.speaking?.typedWith !== undefined
/** Whether a voice is typed with this credential, though its vendor has lists. */
export function typesVoice(vendor: string, credential: SpeechCredentialItem | undefined) {
  const { typedWith } = vendorOf(vendor)?.speaking ?? {}
  return typedWith !== undefined && Boolean(credential?.[typedWith])
}

/** The voices for a language: some vendors list those that speak every language with one only. */
export function voicesOf(vendor: string, catalogue: SpeechCatalogue, language: string): Named[] {
  if (choosesModel(vendor)) return catalogue.models ?? []
  const all = catalogue.tts ?? []
  const { voicesBelow } = vendorOf(vendor)?.speaking ?? {}
  const shared = voicesBelow === '*' ? all[0] : all.find((l) => l.value === voicesBelow)
  return (shared ?? all.find((l) => l.value === language))?.voices ?? []
}

const collator = new Intl.Collator()
export const byName = (list: readonly Named[]): Option[] =>
  list
    .map(({ value, name }) => ({ value, label: name }))
    .sort((a, b) => collator.compare(a.label, b.label))

type CustomVoice = { google_custom_voice_sid: string; name: string }

/** A credential's own voices, by the names that the platform knows them by. */
export const customVoices = (voices: readonly CustomVoice[]): Named[] =>
  voices.map((v) => ({ value: `custom_${v.google_custom_voice_sid}`, name: `${v.name} (Custom)` }))
