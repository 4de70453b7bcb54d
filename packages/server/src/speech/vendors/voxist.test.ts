import { expect, it } from 'vitest'
import { voxist as standIn } from '../../../test/stand-ins/speech/voxist.ts'
import { CANARY, recording, vendorFaults, wayOut } from '../../../test/vendor-faults.ts'
import { voxist } from './voxist.ts'

const KEY = `${CANARY}-voxist`
const config = { api_key: KEY }

it('knows a good key', async () => {
  await voxist.probe!.stt!(config, await wayOut(standIn(KEY)))
})

it.each([8000, 16000] as const)('understands a recording of %i Hz', async (rate) => {
  const out = await wayOut(standIn(KEY))
  expect(await voxist.recognise!(config, recording(rate, 'sp'), out)).toBe(
    `${rate * 0.4} bytes at ${rate}, sp`,
  )
})

it('waits no longer when all is said', async () => {
  const out = await wayOut(standIn(KEY, 'lingers'))
  expect(await voxist.recognise!(config, recording(8000, ''), out)).toBe('3200 bytes at 8000, en')
})

it.each([
  [undefined, 'xx', 'Invalid config'],
  ['broken', 'en', 'Not understood, says *** ***'],
] as const)('says why it does not understand: %s %s', async (mode, language, reason) => {
  const out = await wayOut(standIn(KEY, mode))
  await expect(voxist.recognise!(config, recording(8000, language), out)).rejects.toThrow(reason)
})

const wrong = (key: string) => ({ api_key: key === 'right' ? KEY : `${CANARY}-wrong` })
vendorFaults(standIn(KEY), {
  probe: { over: 'http', call: (out, key) => voxist.probe!.stt!(wrong(key), out) },
  recognise: {
    over: 'both',
    call: (out, key) => voxist.recognise!(wrong(key), recording(8000, 'en'), out),
  },
})
