import { describe, expect, it } from 'vitest'
import { closeInOrder } from './shutdown.ts'

const never = () => new Promise<never>(() => undefined)

describe('closing in order', () => {
  const close = (steps: Parameters<typeof closeInOrder>[0]) => {
    const said: string[] = []
    const log = { error: (_: object, sentence: string) => void said.push(sentence) }
    return closeInOrder(steps, log).then((isClean) => ({ isClean, said }))
  }

  it('runs one step after another', async () => {
    const order: string[] = []
    const step = (name: string) => ({
      limit_ms: 1_000,
      close: { [name]: async () => void order.push(name) },
    })
    expect(await close([step('a'), step('b')])).toEqual({ isClean: true, said: [] })
    expect(order).toEqual(['a', 'b'])
  })

  it('names what hangs and what fails, and closes the rest', async () => {
    let isClosed = false
    const result = await close([
      { limit_ms: 20, close: { billing: never, 'alert delivery': async () => undefined } },
      { limit_ms: 20, close: { stores: () => Promise.reject(new Error('no')) } },
      {
        limit_ms: 20,
        close: {
          async database() {
            isClosed = true
          },
        },
      },
    ])
    expect(result).toEqual({
      isClean: false,
      said: ['shutdown: billing did not close', 'shutdown: stores did not close'],
    })
    expect(isClosed).toBe(true)
  })
})
