import { createDecipheriv, createHash } from 'node:crypto'
import { api, MASK, vendors } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../../test/app.ts'
import { oracle } from '../../../test/oracle.ts'
import { EXAMPLES } from '../../../test/vendor-examples.ts'

/**
 * Decrypts a credential as the platform's components do: written from their description, independently of our own code.
 */
function opened(secret: string, stored: string): unknown {
  const { iv, content } = JSON.parse(stored) as { iv: string; content: string }
  const key = createHash('sha256').update(secret).digest('base64').slice(0, 32)
  const decipher = createDecipheriv('aes-256-cbc', key, Buffer.from(iv, 'hex'))
  const text = Buffer.concat([decipher.update(Buffer.from(content, 'hex')), decipher.final()])
  return JSON.parse(text.toString())
}

it('decrypts what the platform’s own module encrypted', () => {
  const stored =
    '{"iv":"7657dcb9f86c4b3316804327294c9a60","content":"5692f9d45dab43bc21862cbf591fda3d29985adc1897e94bee21e5b81827be0300f8f72d746e3c8444fcd2933d7c9923"}'
  expect(opened('interop-secret-one', stored)).toEqual({
    api_key: 'sk-test-0001',
    region: 'us-east-1',
  })
})

it('covers all vendors of the platform in every mode', () => {
  const tried = EXAMPLES.map(({ vendor, mode }) => `${vendor.replace(':acme', '')} ${mode ?? ''}`)
  const platform = new Set(tried.map((t) => t.split(' ')[0]))
  expect(platform.size).toBe(26)
  const all = Object.values(vendors)
    .filter((v) => platform.has(v.id))
    .flatMap((v) => ('modes' in v ? Object.keys(v.modes) : ['']).map((mode) => `${v.id} ${mode}`))
  expect(tried.sort()).toEqual(all.sort())
})

let t: TestApp
const sids: string[] = []
/** Everything that was answered. */
const answers: string[] = []
beforeAll(async () => {
  t = await testApp({}, undefined, undefined, { ownApp: true })
  const path = `/Accounts/${t.sids.a1}/SpeechCredentials`
  for (const [i, { vendor, sent }] of EXAMPLES.entries()) {
    const body = { vendor, label: `l${i}`, use_for_tts: 1, use_for_stt: 1, ...sent }
    const made = await t.request('a1', 'POST', path, body)
    expect(made.statusCode, `${vendor}: ${made.body}`).toBe(201)
    const sid = made.json().sid as string
    sids.push(sid)
    const one = await t.request('a1', 'GET', `${path}/${sid}`)
    const again = await t.request('a1', 'PUT', `${path}/${sid}`, one.json())
    expect(again.statusCode, `${vendor}: ${again.body}`).toBe(204)
    const wrong = [
      await t.request('a1', 'POST', path, body),
      await t.request('a1', 'POST', path, { ...body, label: 'x', use_for_tts: 'what' }),
      await t.request('a1', 'PUT', `${path}/${sid}`, { ...sent, mode: 'nowhere' }),
      await t.app.inject({
        method: 'PUT',
        url: `/v1${path}/${sid}`,
        payload: { ...sent, use_for_stt: 1 },
        headers: { authorization: `Bearer ${t.bearer.a1}`, 'if-match': '"older"' },
      }),
    ]
    expect(wrong.map((w) => w.statusCode)).toEqual([422, 400, 422, 409])
    answers.push(one.body, ...wrong.map((w) => w.body))
  }
  for (const [who, list] of [
    ['a1', path],
    ['a1', `${path}?page=1&page_size=100`],
    ['a1', `/ServiceProviders/${t.sids.sp1}/SpeechCredentials`],
    ['sp1', `${path}?filter=aws`],
    ['admin', `${path}?page=2&page_size=10`],
    ['admin', '/AuditLog?page=1&page_size=1000'],
  ] as const)
    answers.push((await t.request(who, 'GET', list)).body)
  answers.push((await t.app.inject('/metrics')).body)
}, 120_000)
afterAll(() => t.close())

const rowOf = (i: number) =>
  t.db
    .selectFrom('speech_credentials')
    .selectAll()
    .where('speech_credential_sid', '=', sids[i]!)
    .executeTakeFirstOrThrow()

describe.each(EXAMPLES.map((b, i) => ({ ...b, i })))(
  '$vendor $mode',
  ({ sent, stored, secrets, i }) => {
    it('is stored with exactly the members that the platform reads', async () => {
      expect(opened('test-secret', (await rowOf(i)).credential)).toEqual(stored ?? sent)
    })

    it('is read back, its secrets as a mask', async () => {
      const { sid, members } = { sid: sids[i]!, members: sent as Record<string, unknown> }
      const read = await t.as('a1')(api.accountSpeechCredentials.view, {
        params: { account_sid: t.sids.a1, speech_credential_sid: sid },
      })
      for (const [name, value] of Object.entries(members))
        if (!secrets?.includes(name)) expect(read[name]).toBe(value)
        else if (name !== 'service_key') expect(read[name]).toBe(MASK)
        else
          expect(JSON.parse(read[name] as string)).toEqual({
            ...JSON.parse(value as string),
            private_key: MASK,
          })
    })

    it('may be used for neither, and then keeps its settings', async () => {
      const params = { account_sid: t.sids.a1, speech_credential_sid: sids[i]! }
      const { update, view } = api.accountSpeechCredentials
      const before = await rowOf(i)
      await t.as('a1')(update, { params, body: { use_for_tts: 0, use_for_stt: 0 } })
      expect(await t.as('a1')(view, { params })).toMatchObject({ use_for_tts: 0, use_for_stt: 0 })
      expect((await rowOf(i)).credential).toBe(before.credential)
      await t.as('a1')(update, { params, body: { use_for_tts: 1, use_for_stt: 1 } })
    })

    it('has its secrets in no response, audit entry or log', () => {
      const canaries = (secrets ?? []).map((name) => (sent as Record<string, string>)[name]!)
      for (const value of canaries) {
        const canary = /canary[-\w]+/.exec(value)![0]
        expect(answers.join('\n')).not.toContain(canary)
        expect(t.lines.join('\n')).not.toContain(canary)
      }
    })
  },
)

// opened once: it connects on its own, and fails if closed before
let platform: ReturnType<typeof oracle>

/**
 * Finds a credential as a call does, through the platform's own data layer: the account's before those its provider
 * shares, of exactly this vendor and label, where no label counts as one too, and only with the flag on.
 */
async function platformCredential(account_sid: string, vendor: string, label: string | null) {
  const ask = async (where: string, sid: string) =>
    (
      await platform.pool.promise().query(`select * from speech_credentials where ${where}`, [sid])
    )[0]
  const rows = [
    ...(await ask('account_sid = ?', account_sid)),
    ...(await ask('service_provider_sid = ? and account_sid is null', t.sids.sp1)),
  ] as { vendor: string; label: string | null; credential: string; use_for_stt: number }[]
  return rows.find((r) => r.vendor === vendor && r.label === label && r.use_for_stt)
}

describe.runIf(process.env.TEST_DATABASE === 'mysql')('in a call', () => {
  beforeAll(() => {
    platform = oracle()
  })
  afterAll(() => platform.close())

  it.each(EXAMPLES.map((b, i) => ({ ...b, i })))('finds $vendor $mode', async (c) => {
    const found = await platformCredential(t.sids.a1, c.vendor, `l${c.i}`)
    expect(opened('test-secret', found!.credential)).toEqual(c.stored ?? c.sent)
    expect(await platformCredential(t.sids.a2, c.vendor, `l${c.i}`)).toBeUndefined()
  })

  it('finds what a provider shares, without a label', async () => {
    const body = { vendor: 'soniox', api_key: 'shared', label: '', use_for_stt: 1 as const }
    const params = { service_provider_sid: t.sids.sp1 }
    await t.as('sp1')(api.providerSpeechCredentials.create, { params, body })
    const found = await platformCredential(t.sids.a2, 'soniox', null)
    expect(opened('test-secret', found!.credential)).toEqual({ api_key: 'shared' })
  })
})
