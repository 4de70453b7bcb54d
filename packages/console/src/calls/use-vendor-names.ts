import { createContext, useEffect, useState } from 'react'

const asWritten = (vendor: string) => vendor

/** Provides vendor names to components that show many. */
export const VendorNames = createContext(asWritten)

/** Vendor names, loaded late: few calls and lists show one. */
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
