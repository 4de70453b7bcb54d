import { existsSync } from 'node:fs'
import { type VendorId, vendorOf, vendors } from '@switchroom/contract'
import type { Protocol } from './protocol.ts'

const fileOf = (id: VendorId) => new URL(`./vendors/${id}.ts`, import.meta.url)
const nothing: Protocol = {}

/** A vendor's id; undefined for what is no vendor. All custom ones are one. */
export const vendorId = (vendor: string): VendorId | undefined =>
  // every descriptor is registered under its own id
  (Object.hasOwn(vendors, vendor) ? vendor : vendorOf(vendor)?.id) as VendorId | undefined

/** How a vendor is spoken to, found by the name of its file and loaded with its first call. */
export async function protocolOf(id: VendorId): Promise<Protocol> {
  const file = fileOf(id)
  if (!existsSync(file)) return nothing
  return ((await import(file.href)) as Record<string, Protocol>)[id] ?? nothing
}
