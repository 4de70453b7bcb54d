import { customNameOf, isCustomVendor, type Vendor, vendors } from '@switchroom/contract'

const registry: Record<string, Vendor | undefined> = vendors

/** The vendor with this id; the contract's `vendorOf` takes the stored name. */
export const vendorOfId = (id: string) => (Object.hasOwn(registry, id) ? registry[id] : undefined)

/** The display name of a stored vendor. */
export const vendorName = (stored: string) =>
  isCustomVendor(stored) ? customNameOf(stored) : (vendorOfId(stored)?.name ?? stored)

/** What tells a speech service from others: the vendor, with its label in brackets. */
export const serviceName = ({ vendor, label }: { vendor: string; label: string | null }) =>
  label ? `${vendorName(vendor)} (${label})` : vendorName(vendor)
