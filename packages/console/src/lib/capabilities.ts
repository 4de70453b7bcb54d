import type { Capabilities } from '@switchroom/contract'
import { useEffect, useState } from 'react'
import { config } from './config'
import { overFetch } from './transport'

let asked: Promise<Capabilities | undefined> | undefined

/**
 * What the server can do beyond a stock API server; undefined for a stock one. Our own server says it
 * in the page configuration; with another base address it is asked, once.
 */
export function capabilities(): Promise<Capabilities | undefined> {
  if (config.capabilities) return Promise.resolve(config.capabilities)
  asked ??= overFetch('GET', '/Capabilities', undefined)
    .then(async ({ status, json }) => {
      const found = status === 200 ? ((await json()) as Capabilities) : undefined
      return found?.product === 'switchroom' ? found : undefined
    })
    .catch(() => {
      asked = undefined
      return undefined
    })
  return asked
}

/** `null` until it is known. */
export function useCapabilities(): Capabilities | undefined | null {
  const [found, setFound] = useState<Capabilities | undefined | null>(config.capabilities ?? null)
  useEffect(() => {
    void capabilities().then(setFound)
  }, [])
  return found
}
