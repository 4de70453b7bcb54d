import type { Capabilities } from '@switchroom/contract'
import { useEffect, useState } from 'react'
import { capabilities } from './capabilities'
import { config } from './config'

/** `null` until known. */
export function useCapabilities(): Capabilities | undefined | null {
  const [answer, setAnswer] = useState<Capabilities | undefined | null>(config.capabilities ?? null)
  useEffect(() => {
    capabilities().then(setAnswer, () => undefined)
  }, [])
  return answer
}
