import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { StoreUnavailable } from '../../kit/unavailable.ts'
import { jaegerTraces } from './store.ts'

const ID = '5b8efff798038103d269b633813fc60c'
const span = {
  traceId: ID,
  spanId: 'eee19b7ec3c1b174',
  parentSpanId: '',
  name: 'incoming-call',
  kind: 'SPAN_KIND_INTERNAL',
  startTimeUnixNano: '1700000000000000001',
  endTimeUnixNano: '1700000000000000009',
  attributes: [
    { key: 'callSid', value: { stringValue: 'abc' } },
    { key: 'tts.cached', value: { boolValue: false } },
    { key: 'http.statusCode', value: { intValue: '200' } },
  ],
}
const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'fs' } }] }
const newer = {
  resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'j' }, spans: [span] }] }],
}
const older = {
  resourceSpans: [
    {
      resource,
      instrumentationLibrarySpans: [{ instrumentationLibrary: { name: 'j' }, spans: [span] }],
    },
  ],
}
const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')
const inBase64 = {
  resourceSpans: [
    {
      resource,
      scopeSpans: [
        {
          scope: { name: 'j' },
          spans: [{ ...span, traceId: base64(ID), spanId: base64(span.spanId) }],
        },
      ],
    },
  ],
}

let close = async () => {}
afterEach(() => close())
/** A Jaeger that answers valid API requests with this. */
/** `seconds`: how long it may take, which only what hangs should meet. */
async function jaeger(answer: (response: ServerResponse) => void, seconds = 120) {
  const server = createServer((request, response) => {
    if (request.method === 'GET' && request.url === `/base/api/v3/traces/${ID}`) answer(response)
    else response.writeHead(404).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return jaegerTraces(`http://127.0.0.1:${(server.address() as AddressInfo).port}/base`, seconds)
}

describe('a Jaeger', () => {
  it.each([
    ['newer', newer],
    ['older', older],
    ['with ids in base64', inBase64],
  ])('is parsed in its %s format', async (_, result) => {
    const store = await jaeger((r) => r.end(JSON.stringify({ result })))
    const scopeSpans = [{ scope: { name: 'j', version: '' }, spans: [span] }]
    expect(await store.find(ID)).toEqual({
      resourceSpans: [{ resource, scopeSpans, instrumentationLibrarySpans: scopeSpans }],
    })
  })

  it('may send a trace in several lines', async () => {
    const line = (spanId: string) =>
      JSON.stringify({
        result: { resourceSpans: [{ resource, scopeSpans: [{ spans: [{ ...span, spanId }] }] }] },
      })
    const store = await jaeger((r) => r.end(`${line('1'.repeat(16))}\n${line('2'.repeat(16))}\n`))
    const { resourceSpans } = (await store.find(ID))!
    expect(resourceSpans[0]!.scopeSpans[0]!.spans).toHaveLength(2)
  })

  it('may send each span separately', async () => {
    const part = (_: unknown, i: number) => ({
      resource,
      scopeSpans: [{ spans: [{ ...span, spanId: (i + 1).toString(16).padStart(16, '0') }] }],
    })
    const result = { resourceSpans: Array.from({ length: 1_500 }, part) }
    const store = await jaeger((r) => r.end(JSON.stringify({ result })))
    const { resourceSpans } = (await store.find(ID))!
    expect(resourceSpans).toHaveLength(1)
    expect(resourceSpans[0]!.scopeSpans[0]!.spans).toHaveLength(1_500)
  })

  it.each<[string, (r: ServerResponse) => void]>([
    ['knows no such trace', (r) => r.writeHead(404).end('{"error":{}}')],
    ['has an empty one', (r) => r.end(JSON.stringify({ result: { resourceSpans: [] } }))],
  ])('returns nothing when it %s', async (_, answer) => {
    expect(await (await jaeger(answer)).find(ID)).toBeUndefined()
  })

  it.each<[string, (r: ServerResponse) => void]>([
    ['fails', (r) => r.writeHead(500).end()],
    ['says something else', (r) => r.end('<html>')],
    ['says null', (r) => r.end('{"result":{"resourceSpans":7}}')],
    ['leads elsewhere', (r) => r.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    ['says nothing', () => undefined],
    ['never ends', (r) => void setInterval(() => r.write(' '), 50).unref()],
    ['hangs up', (r) => r.destroy()],
  ])('is unavailable when it %s', async (_, answer) => {
    await expect((await jaeger(answer, 1)).find(ID)).rejects.toThrow(StoreUnavailable)
  })

  it('has a response size limit', async () => {
    const store = await jaeger((r) => {
      const more = () => {
        while (!r.destroyed && r.write(Buffer.alloc(1_000_000, ' ')));
        if (!r.destroyed) r.once('drain', more)
      }
      more()
    })
    await expect(store.find(ID)).rejects.toThrow('This trace is too large to show')
  })
})
