import { isKeyOf } from '../wire/records.ts'
import type { Vendor } from './vendor.ts'
import * as all from './vendors/index.ts'

export * from './field.ts'
export * from './vendor.ts'

/** Every speech vendor by its id. Adding one: a file in vendors/, and its line in vendors/index.ts. */
export const vendors = { ...all } satisfies Record<string, Vendor>
export type VendorId = keyof typeof vendors

/** The vendors with their uses, in the order of the selectors. */
export const SPEECH_VENDORS = Object.values<Vendor>(vendors)
  .map(({ id, name, does }) => ({ id, name, tts: does.includes('tts'), stt: does.includes('stt') }))
  .sort((a, b) => a.name.localeCompare(b.name, 'en', { sensitivity: 'base' }))

/** The vendor that accounts define themselves, stored as `<id>:<name>`. */
const named = Object.values<Vendor>(vendors).find((v) => v.named)!
export const customVendor = (name: string) => `${named.id}:${name}`
export const isCustomVendor = (vendor: string) => vendor.startsWith(customVendor(''))
/** The account's name for a custom vendor. */
export const customNameOf = (vendor: string) => vendor.slice(customVendor('').length)
/** How a stored vendor is shown. */
export const vendorName = (vendor: string) =>
  isCustomVendor(vendor) ? customNameOf(vendor) : (vendorOf(vendor)?.name ?? vendor)
/** The rest of the column. */
export const CUSTOM_NAME_MAX = 25

/** The vendor of a stored name. All custom vendors share one. Undefined for unknown names. */
export const vendorOf = (vendor: string): Vendor | undefined =>
  isCustomVendor(vendor)
    ? named
    : isKeyOf(vendors, vendor) && vendor !== named.id
      ? vendors[vendor]
      : undefined
