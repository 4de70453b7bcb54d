import { type Vendor, vendors } from '@switchroom/contract'

const registry: Record<string, Vendor | undefined> = vendors

/** The vendor with this id; the contract's `vendorOf` takes the stored name. */
export const vendorOfId = (id: string) => (Object.hasOwn(registry, id) ? registry[id] : undefined)
