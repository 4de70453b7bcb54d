import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../test/app.ts'

// Bodies as the platform's own portal and clients write them, sent literally.

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const sendBody = async (who: string, method: string, path: string, body?: object) => {
  const answer = await t.request(who, method, path, body)
  expect(answer.statusCode, `${method} ${path}: ${answer.body}`).toBeLessThan(300)
  return answer.body ? answer.json() : undefined
}
const carrier = async (name: string): Promise<string> =>
  (await sendBody('a1', 'POST', '/VoipCarriers', { name })).sid

it('creates a routing table the way the portal does, with empty sids for new rows', async () => {
  const [first, last] = [await carrier('first'), await carrier('last')]
  const { sid: lcr } = await sendBody('a1', 'POST', '/Lcrs', {
    name: 'outbound',
    is_active: true,
    account_sid: t.sids.a1,
    service_provider_sid: null,
    default_carrier_set_entry_sid: '',
  })
  const route = (regex: string, voip_carrier_sid: string, priority: number) => ({
    lcr_route_sid: '',
    lcr_sid: '',
    regex,
    description: '',
    priority,
    lcr_carrier_set_entries: [
      {
        lcr_carrier_set_entry_sid: '',
        lcr_route_sid: '',
        voip_carrier_sid,
        workload: 0,
        priority: 0,
      },
    ],
  })
  await sendBody('a1', 'POST', `/Lcrs/${lcr}/Routes`, [
    route('^1', first, 0),
    { ...route('.*', last, 9999), description: 'System Default Route' },
  ])
  const routes = async () =>
    (await sendBody('a1', 'GET', `/LcrRoutes?lcr_sid=${lcr}`)).map(
      (r: { regex: string }) => r.regex,
    )
  expect(await routes()).toEqual(['^1', '.*'])
  // later some are stored and others are new
  const [stored] = await sendBody('a1', 'GET', `/LcrRoutes?lcr_sid=${lcr}`)
  await sendBody('a1', 'PUT', `/Lcrs/${lcr}/Routes`, [stored, route('^44', last, 1)])
  expect(await routes()).toEqual(['^1', '^44', '.*'])
})

it('accepts empty sids for new gateways', async () => {
  const gateway = { voip_carrier_sid: '', ipv4: '198.51.100.1', netmask: 32, is_active: true }
  const { sid } = await sendBody('a1', 'POST', '/VoipCarriers', {
    name: 'whole',
    sip_gateways: [{ ...gateway, sip_gateway_sid: '', inbound: 1, outbound: 0, port: 5060 }],
    smpp_gateways: [
      { ...gateway, smpp_gateway_sid: '', inbound: 0, outbound: 1, port: 2775, use_tls: 0 },
    ],
  })
  for (const path of ['SipGateways', 'SmppGateways'])
    expect(await sendBody('a1', 'GET', `/${path}?voip_carrier_sid=${sid}`)).toHaveLength(1)
})

it('returns a private network as it was written, and reads it without spaces', async () => {
  for (const private_network_cidr of [
    '10.0.0.0/8, 192.168.0.1',
    ' 10.0.0.0/8 ',
    '10.0.0.1,10.0.0.2',
  ])
    expect(
      await sendBody('admin', 'POST', '/SystemInformation', { private_network_cidr }),
    ).toMatchObject({ private_network_cidr })
  for (const none of ['', null]) {
    const sent = { private_network_cidr: none }
    expect(await sendBody('admin', 'POST', '/SystemInformation', sent)).toMatchObject(sent)
    expect(await sendBody('admin', 'GET', '/SystemInformation')).toMatchObject(sent)
  }
})

it('saves settings with nothing in them', async () => {
  for (const path of ['/SystemInformation', '/PasswordSettings'])
    expect((await t.request('admin', 'POST', path, {})).statusCode, path).toBeLessThan(300)
})

it('lists no queues of an unknown account for an administrator', async () => {
  const nobody = randomUUID()
  for (const path of ['Queues', 'Conferences']) {
    expect(await sendBody('admin', 'GET', `/Accounts/${nobody}/${path}`)).toEqual([])
    for (const who of ['sp1', 'a1'])
      expect((await t.request(who, 'GET', `/Accounts/${nobody}/${path}`)).statusCode).toBe(404)
  }
})

it('returns flags of speech credentials in the platform’s type', async () => {
  const path = `/Accounts/${t.sids.a1}/SpeechCredentials`
  for (const on of [true, false]) {
    const { sid } = await sendBody('a1', 'POST', path, {
      vendor: 'deepgram',
      label: String(on),
      use_for_tts: true,
      use_for_stt: true,
      deepgram_stt_uri: '10.0.0.1:8080',
      deepgram_tts_uri: 'http://10.0.0.1:8081',
      deepgram_stt_use_tls: on,
    })
    expect(await sendBody('a1', 'GET', `${path}/${sid}`)).toMatchObject({
      use_for_tts: 1,
      deepgram_stt_use_tls: on,
    })
  }
  const { sid } = await sendBody('a1', 'POST', path, {
    vendor: 'microsoft',
    region: 'westus',
    api_key: 'k',
    use_custom_tts: 0,
    use_custom_stt: 0,
  })
  expect(await sendBody('a1', 'GET', `${path}/${sid}`)).toMatchObject({ use_custom_tts: 0 })
})

it('rejects sids in bodies with the platform’s messages', async () => {
  const hook = { url: 'https://example.com/hook', method: 'POST' }
  const application = (account_sid: string) => ({
    name: 'x',
    account_sid,
    call_hook: hook,
    call_status_hook: hook,
  })
  const unknown = [randomUUID(), 'nonsense']
  const cases = [
    ...unknown.flatMap((account_sid) => [
      ['/VoipCarriers', { name: 'x', account_sid }, 400, 'unknown account_sid'] as const,
      ['/Lcrs', { name: 'x', account_sid }, 400, 'unknown account_sid'] as const,
    ]),
    ...unknown.map(
      (application_sid) =>
        [
          '/VoipCarriers',
          { name: 'x', account_sid: t.sids.a2, application_sid },
          400,
          'unknown application_sid',
        ] as const,
    ),
    ['/Applications', application(t.sids.b1), 403, 'insufficient privileges'] as const,
    ['/Applications', application(randomUUID()), 403, 'insufficient privileges'] as const,
  ]
  for (const [path, body, status, msg] of cases) {
    const answer = await t.request('sp1', 'POST', path, body)
    expect([answer.statusCode, answer.json().msg], `${path} ${JSON.stringify(body)}`).toEqual([
      status,
      msg,
    ])
  }
})
