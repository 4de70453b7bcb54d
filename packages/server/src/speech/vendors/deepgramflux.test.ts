import { expect, it } from 'vitest'
import { rateLimited } from '../../../test/stand-ins/speech/deepgram.ts'
import { deepgramflux as standIn } from '../../../test/stand-ins/speech/deepgramflux.ts'
import { KEY, TRANSCRIPT } from '../../../test/stand-ins/speech/strict.ts'
import type { StandIn } from '../../../test/stand-ins/speech-server.ts'
import { reaching, silence, vendorCases } from '../../../test/vendor-faults.ts'
import { deepgramflux } from './deepgramflux.ts'

const config = { api_key: KEY }

vendorCases({
  protocol: deepgramflux,
  standIn,
  config,
  secret: 'api_key',
  wrongKey: (call) =>
    call === 'probe stt' ? 'invalid api key: Invalid credentials.' : 'invalid api key',
  quota: rateLimited(),
  outOfQuota: 'quota or concurrency limit exceeded: Too many requests. Please try again later',
  stages: { recognize: ['socket'] },
})

it.each([
  ['', 'flux-general-en', null],
  ['en-US', 'flux-general-en', null],
  ['es-MX', 'flux-general-multi', 'es'],
])('transcribes the language "%s"', async (language, model, hint) => {
  let query: URLSearchParams | undefined
  const watching: StandIn = {
    ...standIn,
    socket: {
      ...standIn.socket!,
      refuse(request) {
        query = request.url.searchParams
        return standIn.socket!.refuse!(request)
      },
    },
  }
  expect(await deepgramflux.recognize!(config, silence(language), await reaching(watching))).toBe(
    TRANSCRIPT,
  )
  expect([query?.get('model'), query?.get('language_hint')]).toEqual([model, hint])
})

it('relays the vendor’s error, without the key', async () => {
  const angry: StandIn = {
    ...standIn,
    socket: {
      open(socket) {
        socket.send(JSON.stringify({ type: 'Error', code: 'NET', description: `no ${KEY}` }))
      },
    },
  }
  await expect(
    deepgramflux.recognize!(config, silence(), await reaching(angry)),
  ).rejects.toMatchObject({ name: 'Refused', message: 'no ***' })
})
