import { type Vendor, vendorName, vendors } from '@switchroom/contract'

const registry: Record<string, Vendor | undefined> = vendors

/** The vendor with this id; the contract's `vendorOf` takes the stored name. */
export const vendorOfId = (id: string) => (Object.hasOwn(registry, id) ? registry[id] : undefined)

export { vendorName }

/** Name of a speech service: the vendor, with the label in brackets. */
export const serviceName = ({ vendor, label }: { vendor: string; label: string | null }) =>
  label ? `${vendorName(vendor)} (${label})` : vendorName(vendor)
