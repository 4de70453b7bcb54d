import { stat } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Finding, health } from './registry.ts'

const states = async (run: () => Promise<Finding>) => {
  const { watch, check, parts } = health()
  watch({ part: 'disk', every_ms: 60_000, limit_ms: 300, run })
  await check()
  return parts().map(({ state }) => state)
}

/** Holds this process up, as a machine does that has other work. */
const holdUp = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

it('does not take its own waiting for a part that fails', async () => {
  const heldUp = async (): Promise<Finding> => {
    await nextTurn()
    const answer = stat('.')
    holdUp(1_000)
    await answer
    return { state: 'ok' }
  }
  expect(await states(heldUp)).toEqual(['ok'])
  expect(await states(() => new Promise(() => undefined))).toEqual(['failing'])
})
