import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../config/config.ts'
import { sentenceOf } from '../../../parts/sentence.ts'
import { allWaiting, NOTHING_WAITS } from '../../../stores/calls/store.ts'
import { certificatesFinding, endpointsOf } from './certificates.ts'
import { clockFinding, diskFinding } from './data.ts'
import { lagFinding, memoryFinding, poolFinding } from './process.ts'
import { filesFinding, refusedText, waitingFinding } from './records.ts'

const GB = 1e9
const DAY = 86_400_000

it.each([
  [500 * GB, 1_000 * GB, 'ok'],
  // a tenth of a large disk is much
  [50 * GB, 1_000 * GB, 'ok'],
  [5 * GB, 1_000 * GB, 'degraded'],
  [0.5 * GB, 1_000 * GB, 'failing'],
  [0.5 * GB, 1 * GB, 'ok'],
  [0.05 * GB, 1 * GB, 'failing'],
] as const)('%d of %d bytes free: %s', (free, size, state) => {
  expect(diskFinding(free, size).state).toBe(state)
})

it.each([
  [0.4, 'ok'],
  [-3, 'degraded'],
  [45, 'failing'],
] as const)('a clock %d seconds ahead: %s', (ahead, state) => {
  expect(clockFinding(ahead).state).toBe(state)
})

it('says which clock is ahead', () => {
  expect(clockFinding(-3).sentence).toContain('3 seconds behind the database’s')
})

it('knows a busy process from a full one', () => {
  expect([0.01, 0.3, 3].map((s) => lagFinding(s).state)).toEqual(['ok', 'degraded', 'failing'])
  expect([0.5, 0.9, 0.97].map((r) => memoryFinding(r, GB).state)).toEqual([
    'ok',
    'degraded',
    'failing',
  ])
  const pool = (waiting: number) => poolFinding({ in_use: 10, max: 10, waiting }).state
  expect([0, 3, 30].map(pool)).toEqual(['ok', 'degraded', 'failing'])
})

it('names a file that is not in use, damaged ones first', () => {
  const sentence = (damaged: string[], newer: string[]) =>
    filesFinding({ damaged, newer }, '/data').sentence
  expect(filesFinding({ damaged: [], newer: [] }, '/data').state).toBe('ok')
  expect(filesFinding({ damaged: [], newer: ['/data/telemetry/a.db'] }, '/data')).toEqual({
    state: 'degraded',
    sentence:
      'Written by a newer version of Switchroom, and not in use: telemetry/a.db. Start that version.',
  })
  expect(sentence([], ['/data/a.db', '/data/b.db'])).toContain('a.db and 1 more. Start')
  expect(sentence(['/data/a.db', '/data/b.db', '/data/c.db'], [])).toContain('a.db and 2 more. Run')
  expect(sentence(['/data/a.db'], ['/data/b.db'])).toContain('Damaged and set aside: a.db. Run')
})

it('says what waits in the data folder, since when and why', () => {
  const since = Date.parse('2026-11-28T09:08:07Z')
  const text = '2 MB waits in the data folder, the oldest since 09:08:07 UTC'
  const problem = '2026-11-28.db cannot be written: database is locked'
  expect(waitingFinding({ bytes: 0, since: undefined, problem: undefined })).toBeUndefined()
  expect(waitingFinding({ bytes: 1.2e6, since, problem: undefined })).toEqual({
    state: 'degraded',
    sentence: text,
  })
  expect(waitingFinding({ bytes: 1.2e6, since, problem })).toEqual({
    state: 'failing',
    sentence: `${text}. ${problem}`,
  })
})

it('says which rows were refused, in all threads', () => {
  const rows = (table: string, since: number) => ({
    ...NOTHING_WAITS,
    refused: {
      rows: { [table]: 2 },
      since: Date.parse('2026-11-28T09:08:07Z') + since,
      why: table,
    },
  })
  const { refused } = allWaiting([NOTHING_WAITS, rows('calls', 60_000), rows('spans', 0)])
  expect(refusedText(refused!)).toBe(
    'ClickHouse has refused rows for their content since 2026-11-28 09:08 UTC (calls: 2, spans: 2): calls. Run npm run telemetry -- refused to list them.',
  )
})

describe('certificates', () => {
  const now = Date.parse('2026-01-31T00:00:00Z')
  const expiring = (days: number, name = 'SMTP') => ({
    name,
    expires: now + days * DAY,
    problem: undefined,
  })

  it('warns three weeks before the first expires, and fails at the end', () => {
    expect(certificatesFinding([], now)).toBeUndefined()
    expect(certificatesFinding([expiring(300), expiring(90, 'Redis')], now)).toEqual({
      state: 'ok',
      sentence: 'Redis: the certificate expires on 2026-05-01, the earliest of 2',
    })
    expect(certificatesFinding([expiring(20)], now)?.state).toBe('degraded')
    expect(certificatesFinding([expiring(300), expiring(-1, 'Redis')], now)).toEqual({
      state: 'failing',
      sentence: 'Redis: the certificate expired on 2026-01-30',
    })
    const broken = { name: 'Homer', expires: undefined, problem: 'It is no TLS' }
    expect(certificatesFinding([expiring(300), broken], now)?.state).toBe('degraded')
  })

  it('looks at the servers that are configured with TLS', () => {
    const config = readConfig({
      JAEGER_BASE_URL: 'https://jaeger.example/',
      HOMER_BASE_URL: 'http://homer.example',
      HOMER_USERNAME: 'u',
      HOMER_PASSWORD: 'p',
      SMTP_URL: 'smtps://u:p@mail.example',
    })
    expect(endpointsOf(config)).toEqual([
      { name: 'Jaeger', host: 'jaeger.example', port: 443 },
      { name: 'SMTP', host: 'mail.example', port: 465 },
    ])
  })
})

it('puts errors into words', () => {
  const coded = (code: string, message = 'x') => Object.assign(new Error(message), { code })
  expect(sentenceOf(new Error('fetch failed', { cause: coded('ECONNREFUSED') }))).toMatch(/refused/)
  expect(sentenceOf(coded('ESOCKET', 'connect ECONNREFUSED 10.0.0.1:25'))).toMatch(/refused/)
  expect(sentenceOf(coded('CERT_HAS_EXPIRED'))).toBe('The certificate has expired')
  expect(sentenceOf(coded('ESOCKET', 'certificate has expired'))).toBe(
    'The certificate has expired',
  )
  expect(sentenceOf(coded('ESOCKET', 'unable to verify the first certificate'))).toBe(
    'The certificate is not trusted',
  )
  expect(sentenceOf(coded('EODD', 'at https://u:p@host.example/path?key=k'))).toBe(
    'at https://host.example (EODD)',
  )
})
