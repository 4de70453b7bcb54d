import { CUSTOM, names } from 'virtual:vendor-names'

/** How a stored vendor is shown. */
export const vendorName = (vendor: string) => {
  if (vendor.startsWith(CUSTOM)) return vendor.slice(CUSTOM.length)
  return (Object.hasOwn(names, vendor) && `${vendor}:` !== CUSTOM && names[vendor]) || vendor
}

/** Name of a speech service: the vendor, with the label in brackets. */
export const serviceName = ({ vendor, label }: { vendor: string; label: string | null }) =>
  label ? `${vendorName(vendor)} (${label})` : vendorName(vendor)
