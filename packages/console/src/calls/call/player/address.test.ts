import { expect, it } from 'vitest'
import { addressOf } from './address'

const [a, c] = ['0a7bd3b5-2d4b-4f0c-8a3c-3c5b4c9d1e2f', '1b7bd3b5-2d4b-4f0c-8a3c-3c5b4c9d1e2f']
const path = `/Accounts/${a}/RecentCalls/${c}/record/2026/02/01/wav`
const base = 'https://console.example.com/api/v1'
const params = { account_sid: a, call_sid: c, year: '2026', month: '02', day: '01', format: 'wav' }

it.each([
  ['a path, as the platform writes it', path, { params }],
  ['a path below a base', `/v1${path}`, { params }],
  ['an address of this API', `${base}${path}`, { params }],
  ['a day without its zero', path.replace('/02/', '/2/'), { params: { ...params, month: '2' } }],
  [
    'another server',
    `https://elsewhere.example.com${path}`,
    { external: `https://elsewhere.example.com${path}` },
  ],
  [
    'another server without TLS',
    'http://elsewhere.example.com/x.mp3',
    { external: 'http://elsewhere.example.com/x.mp3' },
  ],
  [
    'another server without a scheme',
    `//elsewhere.example.com${path}`,
    { external: `https://elsewhere.example.com${path}` },
  ],
  ['a script', 'javascript:alert(1)', undefined],
  ['another scheme', 'file:///etc/passwd', undefined],
  ['no recording', '/Accounts', undefined],
  ['another format', path.replace(/wav$/, 'ogg'), undefined],
  ['nothing', '', undefined],
])('parses %s', (_, url, expected) => {
  expect(addressOf(url, base)).toEqual(expected)
})
