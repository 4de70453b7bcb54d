import { expect, it } from 'vitest'
import { soniox as standIn } from '../../../test/stand-ins/speech/soniox.ts'
import { CANARY, recording, vendorFaults, wayOut } from '../../../test/vendor-faults.ts'
import { soniox } from './soniox.ts'

const KEY = `${CANARY}-soniox`
const config = { api_key: KEY }

it('knows a good key', async () => {
  await soniox.probe!.stt!(config, await wayOut(standIn(KEY)))
})

it('offers the languages of its live models, in the order of their names', async () => {
  expect(await soniox.catalogue!(config, await wayOut(standIn(KEY)))).toEqual({
    stt: [
      { value: 'en', name: 'English' },
      { value: 'fr', name: 'French' },
    ],
  })
})

it.each([8000, 16000] as const)('understands a recording of %i Hz', async (rate) => {
  const out = await wayOut(standIn(KEY))
  const heard = (language: string) => soniox.recognise!(config, recording(rate, language), out)
  expect(await heard('en-US')).toBe(`${rate * 0.4} bytes at ${rate}, en`)
  expect(await heard('')).toBe(`${rate * 0.4} bytes at ${rate}, any`)
})

it.each([
  ['broken', 'the vendor answered 503: Cannot continue request of ***'],
  ['old', 'this key has no model for live speech'],
] as const)('says why it does not understand: %s', async (mode, reason) => {
  const out = await wayOut(standIn(KEY, mode))
  await expect(soniox.recognise!(config, recording(8000, 'en'), out)).rejects.toThrow(reason)
})

const wrong = (key: string) => ({ api_key: key === 'right' ? KEY : `${CANARY}-wrong` })
vendorFaults(standIn(KEY), {
  probe: { over: 'http', call: (out, key) => soniox.probe!.stt!(wrong(key), out) },
  catalogue: { over: 'http', call: (out, key) => soniox.catalogue!(wrong(key), out) },
  recognise: {
    over: 'both',
    call: (out, key) => soniox.recognise!(wrong(key), recording(8000, 'en'), out),
  },
})
