import { expect, it } from 'vitest'
import { describeUserAgent } from './user-agent.ts'

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'Chrome',
    'Windows',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge',
    'Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
    'Safari',
    'macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1',
    'Chrome',
    'iPhone',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; SM-S931B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    'Samsung Internet',
    'Android',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox', 'Linux'],
  ['<script>alert(1)</script>', null, null],
  ['Mozilla/5.0', null, null],
  ['', null, null],
])('names the browser and the system of %s', (text, browser, system) => {
  expect(describeUserAgent(text)).toEqual({ browser, client: null, system })
})

it.each([
  ['curl/8.14.1', 'curl 8.14.1'],
  ['node', 'node'],
  ['node/24', 'node 24'],
  ['Node.js/v24.1.0', 'Node.js 24.1.0'],
  ['python-requests/2.32.3', 'python-requests 2.32.3'],
  ['okhttp/5.0.0-alpha.14', 'okhttp 5.0.0'],
  [`x/1${'1'.repeat(300)}`, `x 1${'1'.repeat(19)}`],
])('calls %s another client', (text, client) => {
  expect(describeUserAgent(text)).toEqual({ browser: null, client, system: null })
})
