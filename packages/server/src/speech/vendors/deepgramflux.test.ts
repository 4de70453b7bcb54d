import { describe, expect, it } from 'vitest'
import { tooMany } from '../../../test/stand-ins/speech/deepgram.ts'
import { deepgramflux as standIn } from '../../../test/stand-ins/speech/deepgramflux.ts'
import { HEARD, KEY } from '../../../test/stand-ins/speech/strict.ts'
import type { StandIn } from '../../../test/stand-ins/speech-server.ts'
import { against, CANARY, silence, vendorCases } from '../../../test/vendor-cases.ts'
import { vendorFaults } from '../../../test/vendor-faults.ts'
import { deepgramflux } from './deepgramflux.ts'

const config = { api_key: KEY }

describe('its key', () => {
  vendorCases({
    protocol: { probe: deepgramflux.probe! },
    standIn,
    config,
    secret: 'api_key',
    wrongKey: 'invalid api key: Invalid credentials.',
    quota: tooMany(),
    outOfQuota: 'quota or concurrency limit exceeded: Too many requests. Please try again later',
  })
})

vendorFaults(standIn, {
  recognise: {
    over: 'socket',
    call: (out, key) =>
      deepgramflux.recognise!({ api_key: key === 'right' ? KEY : CANARY }, silence('en'), out),
  },
})

it.each([
  ['', 'flux-general-en', null],
  ['en-US', 'flux-general-en', null],
  ['es-MX', 'flux-general-multi', 'es'],
])('listens for the language "%s"', async (language, model, hint) => {
  let query: URLSearchParams | undefined
  const watching: StandIn = {
    ...standIn,
    socket: {
      ...standIn.socket!,
      refuse(asked) {
        query = asked.url.searchParams
        return standIn.socket!.refuse!(asked)
      },
    },
  }
  expect(
    await against(watching, (out) => deepgramflux.recognise!(config, silence(language), out)),
  ).toBe(HEARD)
  expect([query?.get('model'), query?.get('language_hint')]).toEqual([model, hint])
})

it('says what the vendor said, without the key', async () => {
  const angry: StandIn = {
    ...standIn,
    socket: {
      open(socket) {
        socket.send(JSON.stringify({ type: 'Error', code: 'NET', description: `no ${KEY}` }))
      },
    },
  }
  await expect(
    against(angry, (out) => deepgramflux.recognise!(config, silence(), out)),
  ).rejects.toMatchObject({ name: 'Refused', message: 'no ***' })
})
