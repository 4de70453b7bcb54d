import { PassThrough, Readable } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { api } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../server/test/app.ts'
import { MCP } from '../../server/test/mcp.ts'
import { testTerminal } from './terminal.ts'

let t: TestApp
let url: string
beforeAll(async () => {
  t = await testApp(MCP)
  url = await t.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => t.close())

type Message = { id: number | null; result?: object; error?: { code: number; message: string } }

/** Answers of the bridge to these lines. */
async function answers(lines: string[], who = 'a1-key', at = url) {
  const env = { SWITCHROOM_URL: at, SWITCHROOM_API_KEY: t.bearer[who] ?? who }
  const stdin = () => new Blob([lines.map((line) => `${line}\n`).join('')]).stream()
  const { code, out, err } = await testTerminal(env, { stdin }).run('mcp')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const found = out.split('\n').filter(Boolean)
  return found.map((line) => JSON.parse(line) as Message).sort((a, b) => a.id! - b.id!)
}

const message = (id: number, method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params })

describe('switchroom mcp', () => {
  it('is a server to the protocol’s own client', async () => {
    const input = new PassThrough()
    const read = new ReadBuffer()
    const transport: Transport = {
      start: async () => undefined,
      send: async (sent) => void input.write(serializeMessage(sent)),
      close: async () => void input.end(),
    }
    const { run } = testTerminal(
      { SWITCHROOM_URL: `${url}/api/v1`, SWITCHROOM_API_KEY: t.bearer['a1-key']! },
      {
        stdin: () => Readable.toWeb(input) as ReadableStream<Uint8Array>,
        out: (text) => {
          read.append(Buffer.from(text))
          for (let one = read.readMessage(); one; one = read.readMessage())
            transport.onmessage?.(one)
        },
      },
    )
    const ended = run('mcp')
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('apply_change')
    await t.as('a1')(api.phoneNumbers.create, { body: { number: '442079460123' } })
    const { content } = await client.callTool({ name: 'find', arguments: { text: '442079460123' } })
    expect(JSON.stringify(content)).toContain('phone_number')
    await expect(client.callTool({ name: 'no such tool' })).rejects.toThrow('There is no tool')
    await client.close()
    expect((await ended).code).toBe(0)
  })

  it('answers each message, and says nothing to those that want no answer', async () => {
    const found = await answers([
      message(1, 'ping'),
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
      '',
      message(2, 'tools/list'),
      message(3, 'no/such/method'),
    ])
    expect(found.map(({ id }) => id)).toEqual([1, 2, 3])
    expect(found[2]).toMatchObject({ error: { code: -32_601 } })
  })

  it('goes on after what is no message', async () => {
    const found = await answers(['{', '[1]', message(1, 'ping')])
    expect(found.map(({ id }) => id)).toEqual([null, null, 1])
    expect(found[0]).toMatchObject({ error: { code: -32_700 } })
  })

  it('says why the server refuses', async () => {
    expect(await answers([message(1, 'ping')], 'made-up')).toMatchObject([
      { id: 1, error: { message: 'Unauthorized' } },
    ])
    const [elsewhere] = await answers([message(1, 'ping')], 'a1-key', `${url}/nowhere`)
    expect(elsewhere).toMatchObject({
      error: { message: expect.stringContaining('SWITCHROOM_MCP') },
    })
    const [away] = await answers([message(1, 'ping')], 'a1-key', 'http://127.0.0.1:1')
    expect(away).toMatchObject({ error: { message: 'http://127.0.0.1:1 cannot be reached' } })
  })

  it('ends what is cancelled, without an answer', async () => {
    let aborted = false
    const hung = testTerminal(
      { SWITCHROOM_URL: url, SWITCHROOM_API_KEY: 'x' },
      {
        stdin: () =>
          new Blob([
            `${message(7, 'tools/list')}\n`,
            JSON.stringify({
              jsonrpc: '2.0',
              method: 'notifications/cancelled',
              params: { requestId: 7 },
            }),
          ]).stream(),
        fetch: (_, init) =>
          new Promise((_resolve, reject) =>
            init!.signal!.addEventListener('abort', () => {
              aborted = true
              reject(init!.signal!.reason)
            }),
          ),
      },
    )
    expect(await hung.run('mcp')).toEqual({ code: 0, out: '', err: '' })
    expect(aborted).toBe(true)
  })
})
