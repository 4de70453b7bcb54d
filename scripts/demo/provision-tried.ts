import type { Api } from './api.ts'
import { TRIED } from './platform/voice-application.ts'
import type { Account } from './world.ts'

const hooksAt = (url: string) => ({
  call_hook: { url: `${url}${TRIED.path}`, method: 'POST' },
  call_status_hook: { url: `${url}/status`, method: 'POST' },
})

/** Adds the application that is at this URL, with what it must do. */
export async function makeTried(api: Api, { sid: account_sid }: Account, url: string) {
  const { sid } = await api('POST', '/Applications', {
    name: TRIED.name,
    account_sid,
    ...hooksAt(url),
    speech_synthesis_vendor: 'google',
    speech_synthesis_language: 'en-US',
    speech_synthesis_voice: 'en-US-Standard-C',
    speech_recognizer_vendor: 'google',
    speech_recognizer_language: 'en-US',
  })
  const start = { direction: 'inbound', from: '447700900123', to: '442079460100' }
  await api('POST', `/Applications/${sid}/TestCases`, {
    name: 'A caller who says nothing is asked again',
    start,
    answers: [{ kind: 'nothing' }, { kind: 'speech', text: 'I would like to book a table' }],
    expectations: [
      { kind: 'says', text: 'make a booking or change one' },
      { kind: 'says', text: 'I did not hear you' },
      { kind: 'asks', input: 'speech' },
      { kind: 'says', text: 'for how many people', within_ms: 1_000 },
    ],
  })
}

/** Has its calls go to another URL. */
export async function moveTried(api: Api, { sid: account_sid }: Account, url: string) {
  const all = await api<{ name: string; application_sid: string }[]>(
    'GET',
    `/Accounts/${account_sid}/Applications`,
  )
  for (const { name, application_sid } of all)
    if (name === TRIED.name) await api('PUT', `/Applications/${application_sid}`, hooksAt(url))
}
