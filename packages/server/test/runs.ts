import { type Answer, RunStep, type Webhook } from '@switchroom/contract'
import { afterEach } from 'vitest'
import { outbound } from '../src/outbound/outbound.ts'
import type { RunApplication } from '../src/runs/runs/run-application.ts'
import { type RunOptions, runCall } from '../src/runs/runs/run-call.ts'
import { scriptedCaller } from '../src/runs/runs/scripted-caller.ts'
import { type HookAnswer, httpApplication } from './stand-ins/voice-applications.ts'

export const SECRET = 'canary-webhook-secret'
export const PASSWORD = 'canary-basic-password'

export const hook = (url: string, more: Partial<Webhook> = {}): Webhook => ({
  url,
  method: 'POST',
  username: null,
  password: null,
  ...more,
})

const SPEECH = { vendor: 'acme', language: 'en-US', label: null }

export const applicationAt = (
  url: string | null,
  more: Partial<RunApplication> = {},
): RunApplication => ({
  application_sid: '7087fe50-0000-4000-8000-000000000002',
  account_sid: '9351f46a-0000-4000-8000-000000000001',
  service_provider_sid: '2708b1b3-0000-4000-8000-000000000003',
  app_json: null,
  env_vars: null,
  use_for_fallback_speech: 0,
  speech_synthesis_vendor: SPEECH.vendor,
  speech_synthesis_language: SPEECH.language,
  speech_synthesis_voice: 'en-US-A',
  speech_synthesis_label: null,
  speech_recognizer_vendor: SPEECH.vendor,
  speech_recognizer_language: SPEECH.language,
  speech_recognizer_label: null,
  fallback_speech_synthesis_vendor: null,
  fallback_speech_synthesis_language: null,
  fallback_speech_synthesis_voice: null,
  fallback_speech_synthesis_label: null,
  fallback_speech_recognizer_vendor: null,
  fallback_speech_recognizer_language: null,
  fallback_speech_recognizer_label: null,
  call_hook: url === null ? null : hook(url),
  call_status_hook: null,
  webhook_secret: SECRET,
  ...more,
})

export const LOCAL = outbound(['127.0.0.0/8'])

/** Plays a run with these answers. Every step has the contract's shape. */
export async function playRun(
  application: RunApplication,
  answers: readonly Answer[] = [],
  more: Partial<RunOptions> = {},
) {
  const steps = await runCall({
    application,
    start: { direction: 'inbound', from: '15551230001', to: '15551230002', caller_name: 'Ann' },
    outbound: LOCAL,
    caller: scriptedCaller(answers),
    ...more,
    // a busy machine is no silent application
    limits: { silence_ms: 1_000, settle_ms: 30, lapse_ms: 30, ack_ms: 60_000, ...more.limits },
  })
  const run = steps.map((step) => RunStep.parse(step))
  const of = <K extends RunStep['kind']>(kind: K) =>
    steps.filter((step): step is Extract<RunStep, { kind: K }> => step.kind === kind)
  return {
    steps,
    of,
    text: JSON.stringify(run),
    said: of('said').map(({ text }) => text),
    events: of('event').map(({ text }) => text),
    asked: of('asked').map(({ question }) => question),
    ended: of('ended').at(-1)!,
    /** Problems of all requests. */
    problems: of('request').flatMap(({ problems }) => problems),
  }
}

/** An application over HTTP whose first verbs a test plays. Hooks without an answer get 204. */
export async function verbApplication() {
  const answers: Record<string, HookAnswer> = {}
  const app = await httpApplication(({ path }) => answers[path] ?? 204)
  return {
    ...app,
    answers,
    /** Runs these verbs, and a last one that shows whether the list went on. */
    play(list: unknown[], given: Answer[] = [], more: Partial<RunOptions> = {}) {
      answers['/call'] = [...list, { verb: 'say', text: 'next' }]
      return playRun(
        applicationAt(`${app.url}/call`, { call_status_hook: hook(`${app.url}/status`) }),
        given,
        more,
      )
    },
    posted: (path = '/hook') => app.at(path).at(-1),
    statuses: () => app.at('/status').map((body) => [body.call_status, body.sip_status]),
  }
}

export const isNext = ({ said }: { said: (string | null)[] }) => said.includes('next')

/** Collects servers that a test opens, and closes them after it. */
export function closedAfterEach() {
  const opened: { close: () => Promise<unknown> }[] = []
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
  })
  return opened
}
