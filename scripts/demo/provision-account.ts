import { randomBytes } from 'node:crypto'
import type { Api } from './api.ts'
import { DIALOGUES } from './dialogues.ts'
import { countryOf } from './numbers.ts'
import type { Random } from './random.ts'
import { voiceOf } from './stories/speaking.ts'
import { PHONES, type ProviderPlan } from './tenants.ts'
import type { Account, Application, ApplicationKind } from './world.ts'

export const secret = () => randomBytes(12).toString('base64url')
export const slug = (name: string) =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{M}|&/gu, '')
    .replace(/[^a-z0-9]+/g, '-')

/** Makes an account, or takes the one that a new installation has. */
export async function makeAccount(
  api: Api,
  provider_sid: string,
  plan: ProviderPlan,
  n: number,
  existing: string | undefined,
): Promise<Account> {
  const [name, city, sector, size, phones] = plan.accounts[n]!
  const realm = `${slug(name)}.${plan.root_domain}`
  const body = {
    name,
    sip_realm: realm,
    limits: { voice_call_session: size * 3 },
    record_format: 'wav',
    queue_event_hook: { url: `https://voice.${slug(name)}.example/queues`, method: 'POST' },
  }
  const sid =
    existing ?? (await api('POST', '/Accounts', { name, service_provider_sid: provider_sid })).sid
  await api('PUT', `/Accounts/${sid}`, body)
  return {
    sid,
    name,
    provider: plan.name,
    provider_sid,
    realm,
    sector,
    country: countryOf(city),
    size,
    phones: PHONES.slice(0, phones),
    numbers: [],
    applications: [],
  }
}

export async function makeApplications(api: Api, account: Account, random: Random) {
  const { sid: account_sid, name, sector, size } = account
  const dialogue = DIALOGUES[sector]
  const host = `https://voice.${slug(name)}.example`
  const { tts, voice, stt } = voiceOf(name)
  const kinds: [ApplicationKind, string, string][] = [
    ['assistant', dialogue.application, dialogue.path],
    ['menu', dialogue.menu.application, 'menu'],
    ...(size > 3
      ? [['reminder', 'Reminders', 'reminders'] as [ApplicationKind, string, string]]
      : []),
    ...(size > 7 ? [['agent', 'Voice agent', 'agent'] as [ApplicationKind, string, string]] : []),
  ]
  for (const [kind, application, path] of kinds) {
    const url = `${host}/${path}`
    const { sid } = await api('POST', '/Applications', {
      name: application,
      account_sid,
      call_hook: { url, method: 'POST' },
      call_status_hook: { url: `${host}/status`, method: 'POST' },
      speech_synthesis_vendor: tts,
      speech_synthesis_language: 'en-US',
      speech_synthesis_voice: voice,
      speech_recognizer_vendor: stt,
      speech_recognizer_language: 'en-US',
      record_all_calls: isRecorded(sector, kind) ? 1 : 0,
      ...(random.chance(0.5) && {
        use_for_fallback_speech: 1,
        fallback_speech_synthesis_vendor: 'google',
        fallback_speech_synthesis_language: 'en-US',
        fallback_speech_synthesis_voice: 'en-US-Standard-C',
        fallback_speech_recognizer_vendor: 'google',
        fallback_speech_recognizer_language: 'en-US',
      }),
    })
    account.applications.push({ sid, kind, name: application, url } satisfies Application)
  }
  if (kinds.some(([kind]) => kind === 'agent')) await makeModelSessions(api, account_sid)
}

/** Takes events of model sessions, and knows what models cost. The prices are made up. */
async function makeModelSessions(api: Api, account_sid: string) {
  const path = `/Accounts/${account_sid}/ModelSessions`
  await api('POST', `${path}/Secret`)
  const none = { minute: null, characters: null }
  await api('PUT', path, {
    currency: 'USD',
    prices: [
      { model: 'gpt-realtime', input: 32, cached_input: 0.4, output: 64, ...none },
      { model: 'gpt-realtime-mini', input: 10, cached_input: 0.3, output: 20, ...none },
    ],
  })
}

/** Calls about money are recorded. */
export const isRecorded = (sector: Account['sector'], kind: ApplicationKind) =>
  sector === 'finance' && kind === 'assistant'
