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
  for (const one of CASES)
    await api('POST', `/Applications/${sid}/TestCases`, { start: START, ...one })
}

const START = { direction: 'inbound', from: '447700900123', to: '442079460100' }
const says = (text: string) => ({ kind: 'speech', text })
const hears = (text: string, more: object = {}) => ({ kind: 'says', text, ...more })

/** Test cases of the application. It does not do what the last one demands. */
const CASES = [
  {
    name: 'A caller who says nothing is asked again',
    answers: [{ kind: 'nothing' }, says('I would like to book a table')],
    expectations: [
      hears('make a booking or change one'),
      hears('I did not hear you'),
      { kind: 'asks', input: 'speech' },
      hears('for how many people', { within_ms: 1_000 }),
    ],
  },
  {
    name: 'A booking from the first word to the last',
    answers: ['a table please', 'four people', 'tomorrow at eight', 'Jonas Reed', 'no thanks'].map(
      says,
    ),
    expectations: [
      hears('for how many people'),
      hears('which day and time'),
      hears('may I have your name'),
      hears('that is booked'),
      { kind: 'hangs_up' },
    ],
  },
  {
    name: 'A large group is told of the deposit',
    answers: ['a table please', 'we are twelve'].map(says),
    expectations: [hears('for how many people'), hears('deposit')],
  },
]

/** Runs the test cases, once the application is there. */
export async function runTried(api: Api, account: Account) {
  for (const sid of await triedOf(api, account))
    await api('POST', `/Applications/${sid}/TestCases/Runs`)
}

/** Has its calls go to another URL. */
export async function moveTried(api: Api, account: Account, url: string) {
  for (const sid of await triedOf(api, account))
    await api('PUT', `/Applications/${sid}`, hooksAt(url))
}

async function triedOf(api: Api, { sid: account_sid }: Account) {
  const all = await api<{ name: string; application_sid: string }[]>(
    'GET',
    `/Accounts/${account_sid}/Applications`,
  )
  return all.filter(({ name }) => name === TRIED.name).map(({ application_sid }) => application_sid)
}
