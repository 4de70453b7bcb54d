import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebhookResponse } from '@jambonz/sdk/webhook'
import { createEndpoint } from '@jambonz/sdk/websocket'
import { describe, expect, it } from 'vitest'
import { assistant } from '../../../test/example-applications/assistant.ts'
import { bank } from '../../../test/example-applications/bank.ts'
import * as bots from '../../../test/example-applications/bots.ts'
import { conferenceHost } from '../../../test/example-applications/conference-host.ts'
import type { Example, Verbs } from '../../../test/example-applications/example.ts'
import { held } from '../../../test/example-applications/held.ts'
import { interrupts } from '../../../test/example-applications/interrupts.ts'
import * as machines from '../../../test/example-applications/machines.ts'
import * as models from '../../../test/example-applications/models.ts'
import { queue } from '../../../test/example-applications/queue.ts'
import { queueAgent } from '../../../test/example-applications/queue-agent.ts'
import { redirects } from '../../../test/example-applications/redirects.ts'
import { screening } from '../../../test/example-applications/screening.ts'
import * as sip from '../../../test/example-applications/sip.ts'
import * as transcripts from '../../../test/example-applications/transcription.ts'
import { voicemail } from '../../../test/example-applications/voicemail.ts'
import { applicationAt, closedAfterEach, hook, playRun } from '../../../test/runs.ts'
import {
  type LibrarySession,
  libraryApplication,
} from '../../../test/stand-ins/library-application.ts'
import { httpApplication } from '../../../test/stand-ins/voice-applications.ts'

const opened = closedAfterEach()

const EXAMPLES: Record<string, Example> = {
  ...{ assistant, bank, conferenceHost, held, interrupts, queue, queueAgent, redirects },
  ...{ screening, voicemail, ...bots, ...machines, ...models, ...sip, ...transcripts },
}

type Started = { url: string; status?: string }

/** An HTTP server whose answers the platform's SDK makes. Hooks without verbs get a plain OK, as of any framework. */
async function overHttp({ hooks }: Example): Promise<Started> {
  const app = await httpApplication(({ path, body }) => {
    const verbs = hooks[path]?.(body)
    if (!verbs) return { text: 'OK', type: 'text/plain; charset=utf-8' }
    const response = new WebhookResponse({ validate: false }).addVerbs(verbs as never)
    return { text: JSON.stringify(response) }
  })
  opened.push(app)
  return { url: `${app.url}/call`, status: `${app.url}/status` }
}

// biome-ignore lint/suspicious/noExplicitAny: the SDK's own type of a session is not exported
type Session = any

/** Speaks for a session of either library. */
function speak(session: Session, { hooks }: Example, add: (verbs: Verbs) => void) {
  for (const [path, verbsOf] of Object.entries(hooks))
    session.on(path, (data: unknown) => {
      const verbs = verbsOf(data)
      if (verbs) add(verbs)
      session.reply()
    })
  add(hooks['/call']!(session.data) ?? [])
  session.send()
}

async function overSdk(example: Example): Promise<Started> {
  const server = createServer()
  createEndpoint({ server })({ path: '/app' }).on('session:new', (session: Session) =>
    speak(session, example, (verbs) => session.addVerbs(verbs)),
  )
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  opened.push({
    close() {
      server.closeAllConnections()
      return new Promise((done) => server.close(done))
    },
  })
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/app` }
}

async function overLibrary(example: Example): Promise<Started> {
  const app = await libraryApplication((session: LibrarySession) =>
    speak(session, example, (verbs) => {
      for (const { verb, ...data } of verbs) {
        // it knows models by one verb
        const [, vendor] = /^(\w+)_s2s$/.exec(String(verb)) ?? []
        if (vendor || verb === 's2s') session.llm!({ vendor, ...data })
        else session[String(verb).replace(':', '_')]!(data)
      }
    }),
  )
  opened.push(app)
  return app
}

/** Verbs that the SDK no longer has. */
const BEFORE_THE_SDK = ['lex', 'rasa', 'microsoft', 'voiceagent']
const names = Object.keys(EXAMPLES)

describe.each([
  ['HTTP', overHttp, names],
  ['a WebSocket with the SDK', overSdk, names.filter((one) => !BEFORE_THE_SDK.includes(one))],
  ['a WebSocket with the older library', overLibrary, names],
] as const)('an example application over %s', (_, start, walked) => {
  it.each(walked)('is walked as on the platform: %s', async (name) => {
    const example = EXAMPLES[name]!
    const { url, status } = await start(example)
    const run = await playRun(
      applicationAt(url, {
        ...(status !== undefined && { call_status_hook: hook(status) }),
        env_vars: example.env_vars ?? null,
      }),
      example.answers,
    )
    const at = (path: string) => (path.startsWith('http') ? new URL(path).pathname : path)
    const heard = run
      .of('request')
      .map((request) => at(request.url))
      .filter((path) => path !== '/call' && Object.hasOwn(example.hooks, path))
    expect(run.of('event').filter(({ tone }) => tone === 'bad')).toEqual([])
    expect(run.problems).toEqual([])
    expect(run.said).toEqual(example.said)
    expect(heard).toEqual(example.heard)
    expect(run.ended.by).not.toBe('run')
  })
})
