import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { answered, call, over, span } from '../packages/server/test/conversations/example.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessibility.ts'
import { expectNoErrors, expectToast, logIn, openPage, reportFailures } from './browser.ts'
import { databasesFor } from './databases.ts'
import { api, fetchToken, startSwitchroom } from './harness.ts'
import { freePort } from './ports.ts'
import { ACCOUNT, sendCalls, sendTrace, sidOf } from './traced-calls.ts'

/** Posts an event as the platform does to an event hook. */
async function postEvent(url: string, webhookSecret: string, event: object) {
  const body = JSON.stringify(event)
  const seconds = Math.floor(Date.now() / 1_000)
  const signature = createHmac('sha256', webhookSecret).update(`${seconds}.${body}`).digest('hex')
  return fetch(url, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', 'user-agent': 'jambonz' },
      'jambonz-signature': `t=${seconds},v1=${signature}`,
    },
    body,
  })
}

const used = { total_tokens: 1_300, input_tokens: 1_000, output_tokens: 300 }
const EVENTS: object[] = [
  { type: 'session.created', event_id: 'e1', session: { model: 'gpt-realtime' } },
  { type: 'input_audio_buffer.speech_started', event_id: 'e2', item_id: 'i1' },
  {
    ...{ type: 'conversation.item.input_audio_transcription.completed', event_id: 'e3' },
    ...{ item_id: 'i1', transcript: 'Is it raining in Oslo? My number is 4711.' },
  },
  {
    ...{ type: 'response.function_call_arguments.done', event_id: 'e4' },
    ...{ call_id: 'c1', name: 'get_weather', arguments: '{"city":"Oslo"}' },
  },
  {
    ...{ type: 'conversation.item.created', event_id: 'e5' },
    item: { type: 'function_call_output', call_id: 'c1', output: 'light rain' },
  },
  { type: 'output_audio.playback_started', event_id: 'e6' },
  {
    ...{ type: 'response.output_audio_transcript.done', event_id: 'e7' },
    ...{ response_id: 'r1', transcript: 'Yes, there is light rain.' },
  },
  { type: 'response.done', event_id: 'e8', response: { id: 'r1', usage: used } },
  { type: 'input_audio_buffer.speech_started', event_id: 'e9', item_id: 'i2' },
  { type: 'error', event_id: 'e10', error: { code: 'server_error', message: 'It went away' } },
]

it.each(databasesFor('model-sessions'))(
  'shows a model session from inside, with what it cost (%s)',
  async (database) => {
    const [influx, otlp] = [await freePort(), await freePort()]
    const server = await startSwitchroom(database, {
      SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${influx}`,
      SWITCHROOM_INGEST_OTLP: `127.0.0.1:${otlp}`,
    })
    const page = await openPage({ permissions: ['clipboard-read', 'clipboard-write'] })
    try {
      await reportFailures(page, `model-sessions-${database}`, async () => {
        await logIn(page, server.url)
        await sendTrace(
          otlp,
          {
            spans: [
              call(9_000, { accountSid: ACCOUNT }),
              answered(200),
              span('l', 'a', 210, 8_600, 'verb:Llm_OpenAI_s2s'),
              over(8_900, 'caller'),
            ],
          },
          0,
        )
        await sendCalls(influx, [0], undefined, 60_000)

        await page.goto(`${server.url}/internal/accounts/${ACCOUNT}`)
        await page.getByRole('link', { name: 'Events and prices' }).click()
        await page.getByText('No events are taken until there is a secret.').waitFor()
        const shown = await page.getByText(/\/model-events\/.*<call_sid>$/).innerText()
        const address = shown.replace('<call_sid>', sidOf(0))
        const token = await fetchToken(server.url)
        const { webhook_secret: signing } = await api<{ webhook_secret: string }>(
          ...[server.url, token, 'GET', `/Accounts/${ACCOUNT}/WebhookSecret`],
        )
        expect((await postEvent(address, signing, EVENTS[0]!)).status).toBe(401)

        await page.getByRole('button', { name: 'Make a secret' }).click()
        const secret = await page
          .getByRole('dialog')
          .getByText(/^model_/)
          .innerText()
        await expectAccessible(page, 'the secret for events')
        await page.getByRole('button', { name: 'Done' }).click()
        await page.getByRole('button', { name: 'Add price' }).click()
        await page.getByLabel('Currency').fill('EUR')
        await page.getByLabel('Model or vendor').fill('gpt-realtime')
        await page.getByLabel(/^Per million tokens in/).fill('4')
        await page.getByLabel('Per million tokens out').fill('20')
        await page.getByRole('button', { name: 'Save', exact: true }).click()
        await expectToast(page, 'Prices updated')
        expect(await page.content()).not.toContain(secret)

        // as the platform sends them, twice, and one as an application forwards it
        for (const event of [...EVENTS, ...EVENTS])
          expect((await postEvent(address, signing, event)).status).toBe(202)
        const forwarded = await fetch(address.replace(`/${sidOf(0)}`, ''), {
          method: 'POST',
          headers: { authorization: `Bearer ${secret}` },
          body: JSON.stringify({
            ...{ type: 'llm:event', msgid: 'm1', call_sid: sidOf(0) },
            data: { type: 'mcp_list_tools.failed' },
          }),
        })
        expect(forwarded.status).toBe(202)
        expect((await postEvent(address, signing, { hello: 1 })).status).toBe(400)
        expect(
          (await postEvent(address.replace(sidOf(0), sidOf(7)), signing, EVENTS[0]!)).status,
        ).toBe(404)
        await page.reload()
        await page.getByText('Not an event in JSON: 1').waitFor()
        await expectAccessible(page, 'model sessions')
        await page.setViewportSize({ width: 320, height: 700 })
        await expectNoSidewaysScroll(page, 'model sessions')
        await page.setViewportSize({ width: 1280, height: 800 })

        await page.goto(`${server.url}/internal/recent-calls/${sidOf(0)}`)
        const turns = page.getByRole('list', { name: 'Conversation' })
        await turns.getByText('Yes, there is light rain.').waitFor()
        const text = (await turns.innerText()).replace(/\s+/g, ' ')
        for (const part of [
          'Is it raining in Oslo? My number is 4711.',
          'Tool get_weather {"city":"Oslo"} Result: light rain Result after',
          'Interrupted Tokens: 1,000 in, 300 out · Cost: €0.01',
          'The caller interrupted the model.',
          'The model reported an error: server_error: It went away',
          'Event mcp_list_tools.failed of the model',
        ])
          expect(text).toContain(part)
        expect(text.match(/light rain\./g)).toHaveLength(1)
        await expectAccessible(page, 'a conversation with a model session')
        await page.setViewportSize({ width: 320, height: 700 })
        await expectNoSidewaysScroll(page, 'a conversation with a model session')
        await page.setViewportSize({ width: 1280, height: 800 })
        await page.getByRole('button', { name: 'Copy as bug report' }).click()
        await expectToast(page, 'Bug report copied to clipboard')
        const report = await page.evaluate(() => navigator.clipboard.readText())
        expect(report).toContain('light rain')
        expect(report).not.toContain('number is 4711')

        // masked from now on, as what came before
        await api(server.url, token, 'PUT', `/Accounts/${ACCOUNT}/TranscriptSettings`, {
          words: 'mask',
        })
        await page.reload()
        await turns.getByText('My number is ••••.').waitFor()

        await page.goto(`${server.url}/internal/accounts/${ACCOUNT}/model-sessions`)
        await page.getByRole('button', { name: 'Remove secret' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Remove secret' }).click()
        await expectToast(page, 'Secret removed')
        expect((await postEvent(address, signing, EVENTS[0]!)).status).toBe(401)
        expectNoErrors(page)
      })
    } finally {
      await page.context().close()
      await server.stop()
    }
  },
)
