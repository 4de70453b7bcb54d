import {
  allFields,
  deepgramHosts,
  type Field,
  jsonObject,
  type Vendor,
  vendorOf,
} from '@switchroom/contract'
import type { SecretBox } from '../secret-box.ts'

/** A vendor's settings by the names of its descriptor: a toggle true or false, all else text. */
export type Config = Record<string, string | boolean>
/** What the platform's components find when they open a credential. */
type Blob = Record<string, unknown>
type Row = { vendor: string; credential: string }

/** The column's length, in characters. */
export const ROOM = 8_192

function opened(box: SecretBox, credential: string): Blob | undefined {
  const text = box.open(credential)
  return text === undefined ? undefined : jsonObject(text)
}

const isOn = (value: unknown) => value === true || value === 1 || value === '1' || value === 'true'

/** A stored member as its field has it; undefined for nothing. */
function storedValue(field: Field, stored: unknown): string | boolean | undefined {
  if (stored === undefined || stored === null || stored === '') return undefined
  if (field.kind === 'toggle') return isOn(stored)
  return typeof stored === 'object' ? JSON.stringify(stored) : String(stored)
}

/**
 * The settings of a stored credential. Undefined when it cannot be opened, or its vendor is none we know.
 * Google's `service_key` is the text of its file, and `model_id`, which is stored inside it, stands beside it.
 */
export function configOf(box: SecretBox, { vendor: name, credential }: Row): Config | undefined {
  const vendor = vendorOf(name)
  const blob = vendor && opened(box, credential)
  if (!vendor || !blob) return undefined
  const members = vendor.id === 'google' ? fromKeyFile(blob) : blob
  return Object.fromEntries(
    Object.entries(allFields(vendor)).flatMap(([key, field]) => {
      const value = storedValue(field, members[key])
      return value === undefined ? [] : [[key, value]]
    }),
  )
}

const fromKeyFile = ({ model_id, ...key }: Blob): Blob => ({
  ...(Object.keys(key).length > 0 && { service_key: JSON.stringify(key) }),
  model_id,
})

function toKeyFile({ service_key, model_id }: Blob): Blob {
  // a stored one may lack its key, and keeps lacking it
  const { model_id: inside, ...key }: Blob = jsonObject(String(service_key)) ?? {}
  const model = model_id ?? inside
  return model ? { ...key, model_id: model } : key
}

const flag = (...reasons: unknown[]) => Number(reasons.some(Boolean))

/** Where the platform's components want more, or something else, than the fields by their names. */
const LAYOUT: Record<string, (blob: Blob) => Blob> = {
  google: toKeyFile,
  custom: (blob) => ({ auth_token: '', ...blob }),
  // a container is a custom endpoint to them
  microsoft: (blob) => ({
    ...blob,
    use_custom_tts: flag(blob.use_custom_tts, blob.custom_tts_endpoint_url),
    use_custom_stt: flag(blob.use_custom_stt, blob.custom_stt_endpoint_url),
  }),
  // a host of the vendor's own, rather than the one they know, is only reached with TLS
  deepgram: (blob) =>
    deepgramHosts.some((host) => host.value === blob.deepgram_stt_uri)
      ? { ...blob, deepgram_stt_use_tls: 1 }
      : blob,
}

/**
 * The credential as the platform's components read it, sealed: toggles as 0 and 1, extra options as text.
 * `stored` is what it replaces: members of it that no descriptor knows stay as they are. Expects settings
 * that their schema has taken.
 */
export function toStore(
  box: SecretBox,
  { vendor: name, config }: { vendor: string; config: Config },
  stored?: string,
): string {
  const vendor = vendorOf(name)
  if (!vendor) throw new Error(`No speech vendor ${name}`)
  const fields = allFields(vendor)
  const blob: Blob = Object.fromEntries(
    Object.entries(config)
      .filter(([key, value]) => key in fields && value !== undefined && value !== '')
      .map(([key, value]) => [key, typeof value === 'boolean' ? Number(value) : value]),
  )
  const laidOut = LAYOUT[vendor.id]?.(blob) ?? blob
  return box.seal(JSON.stringify({ ...unknown(box, vendor, stored), ...laidOut }))
}

/** Google's has none: the whole file is its key. */
function unknown(box: SecretBox, vendor: Vendor, stored: string | undefined): Blob {
  const blob = stored !== undefined && vendor.id !== 'google' && opened(box, stored)
  if (!blob) return {}
  const fields = allFields(vendor)
  return Object.fromEntries(Object.entries(blob).filter(([key]) => !(key in fields)))
}
