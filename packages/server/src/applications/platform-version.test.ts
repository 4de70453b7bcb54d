import { expect, it } from 'vitest'
import type { Context } from '../http/context.ts'
import { platformVersion } from './platform-version.ts'

const of = (set: string | undefined, seen: string | null | Error | undefined) =>
  platformVersion({
    config: { platform_version: set },
    stores: {
      ingestedTraces: async () => {
        if (seen instanceof Error) throw seen
        return seen === undefined ? undefined : { platform: seen }
      },
    },
  } as unknown as Pick<Context, 'config' | 'stores'>)

it.each([
  ['10.3.0', '11.0.0', '10.3.0'],
  [undefined, '11.0.0', '11.0.0'],
  [undefined, null, '0.9.8'],
  [undefined, undefined, '0.9.8'],
  [undefined, new Error('the store is closed'), '0.9.8'],
])('is %s if set, then %s as seen: %s', async (set, seen, version) => {
  expect(await of(set, seen)).toBe(version)
})
