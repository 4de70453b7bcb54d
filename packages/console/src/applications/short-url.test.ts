import { expect, it } from 'vitest'
import { shortUrl } from './short-url'

it.each([
  ['https://example.com/hook', undefined, 'example.com/hook'],
  ['http://example.com/hook', undefined, 'http://example.com/hook'],
  ['wss://example.com/hook?a=1', undefined, 'wss://example.com/hook?a=1'],
  ['https://example.com/status?a=//b', 'https://example.com/hook', '/status?a=//b'],
  ['https://example.com:8443/status', 'https://example.com/hook', 'example.com:8443/status'],
  ['http://example.com/status', 'https://example.com/hook', 'http://example.com/status'],
  ['https://example.com', 'https://example.com/hook', 'example.com'],
  ['{{host}}/hook', 'https://example.com/hook', '{{host}}/hook'],
])('%s beside %s: %s', (text, beside, short) => {
  expect(shortUrl(text, beside)).toBe(short)
})
