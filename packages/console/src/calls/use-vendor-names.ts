import { createContext, useEffect, useState } from 'react'

const asWritten = (vendor: string) => vendor

/** The names of vendors for what shows many. */
export const VendorNames = createContext(asWritten)

/** The names of vendors, which come late: few calls and lists show one. */
export function useVendorNames(enabled: boolean) {
  const [name, setName] = useState(() => asWritten)
  useEffect(() => {
    if (enabled)
      void import('../speech/speech-credentials/vendor-name').then(
        ({ vendorName }) => setName(() => vendorName),
        () => undefined,
      )
  }, [enabled])
  return name
}
