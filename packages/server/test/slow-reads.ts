import { setTimeout } from 'node:timers/promises'
import { vi } from 'vitest'
import type { TestApp } from './app.ts'

/** Makes parallel requests meet: each has read the live state before any of them changes it. */
export function slowReads({ ctx: { live } }: TestApp) {
  const get = live.get.bind(live)
  return vi.spyOn(live, 'get').mockImplementation(async (...keys) => {
    const found = await get(...keys)
    await setTimeout(50)
    return found
  })
}
