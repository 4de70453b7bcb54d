import { createHash } from 'node:crypto'
import { allFields, type Field, jsonObject, type Vendor, vendorOf } from '@switchroom/contract'
import { isEmpty } from '../db/defined-fields.ts'
import type { SecretBox } from '../secrets/secret-box.ts'

/** A vendor's settings by field name: toggles are booleans, all else is text. */
export type Config = Record<string, string | boolean>
/** The decrypted credential as platform components read it. */
type Blob = Record<string, unknown>
type Row = { vendor: string; credential: string }

/** The length of the column, in characters. */
export const ROOM = 8_192

function opened(box: SecretBox, credential: string): Blob | undefined {
  const text = box.open(credential)
  return text === undefined ? undefined : jsonObject(text)
}

/** Changes with the stored credential, without revealing it. */
export const fingerprint = ({ credential }: { credential: string }) =>
  createHash('sha256').update(credential).digest('base64url')

const isOn = (value: unknown) => value === true || value === 1 || value === '1' || value === 'true'

/** A stored value by its field's type; undefined if empty. */
function storedValue(field: Field, stored: unknown): string | boolean | undefined {
  if (stored === undefined || stored === null || stored === '') return undefined
  if (field.kind === 'toggle') return isOn(stored)
  return typeof stored === 'object' ? JSON.stringify(stored) : String(stored)
}

/** The settings of a stored credential. Undefined if it cannot be decrypted or the vendor is unknown. */
export function configOf(box: SecretBox, { vendor: name, credential }: Row): Config | undefined {
  const vendor = vendorOf(name)
  const blob = vendor && opened(box, credential)
  if (!vendor || !blob) return undefined
  const members = fromKeyFile(vendor, blob)
  return Object.fromEntries(
    Object.entries(allFields(vendor)).flatMap(([key, field]) => {
      const value = storedValue(field, members[key])
      return value === undefined ? [] : [[key, value]]
    }),
  )
}

/** The key file field, and which other fields are stored among the file's members. */
function keyFileOf(vendor: Vendor) {
  const fields = Object.entries(allFields(vendor))
  const file = fields.find(([, f]) => f.kind === 'key_file')?.[0]
  if (file === undefined) return undefined
  const isSetting = (member: string) => fields.some(([key]) => key === member && key !== file)
  return { file, isOther: isSetting }
}

const pickFields = (blob: Blob, keep: (key: string, value: unknown) => boolean): Blob =>
  Object.fromEntries(Object.entries(blob).filter(([key, value]) => keep(key, value)))

function fromKeyFile(vendor: Vendor, blob: Blob): Blob {
  const keyFile = keyFileOf(vendor)
  if (!keyFile) return blob
  const { file, isOther: isSetting } = keyFile
  const key = pickFields(blob, (member) => !isSetting(member))
  return {
    ...pickFields(blob, isSetting),
    ...(!isEmpty(key) && { [file]: JSON.stringify(key) }),
  }
}

function toKeyFile(vendor: Vendor, blob: Blob): Blob {
  const keyFile = keyFileOf(vendor)
  if (!keyFile) return blob
  const { file, isOther: isSetting } = keyFile
  const { [file]: text, ...others } = blob
  // a stored file may have no key
  const members = { ...jsonObject(String(text)), ...others }
  return pickFields(members, (member, value) => !isSetting(member) || Boolean(value))
}

/**
 * Encrypts the credential as platform components read it: toggles as 0 and 1, extra options as text.
 * `stored` is the previous one, whose unknown members are kept. Expects validated
 * settings.
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
  const empty = Object.entries(fields).flatMap(([key, f]) => (f.storedEmpty ? [[key, '']] : []))
  const whole = { ...Object.fromEntries(empty), ...blob }
  const laidOut = toKeyFile(vendor, vendor.complete?.(whole) ?? whole)
  return box.seal(JSON.stringify({ ...unknown(box, vendor, stored), ...laidOut }))
}

/** Members without a field. A key file has none: all of it is the key. */
function unknown(box: SecretBox, vendor: Vendor, stored: string | undefined): Blob {
  const blob = stored !== undefined && !keyFileOf(vendor) && opened(box, stored)
  const fields = allFields(vendor)
  return blob ? pickFields(blob, (key) => !(key in fields)) : {}
}
