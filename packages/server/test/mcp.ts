import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { membersOf } from '@switchroom/contract'
import type { TestApp } from './app.ts'

export const MCP = { SWITCHROOM_MCP: '1' }
export const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }

/** One request of the Model Context Protocol. */
export async function post(
  { app, bearer }: Pick<TestApp, 'app' | 'bearer'>,
  who: string,
  message: object | string,
  headers: Record<string, string> = {},
) {
  return app.inject({
    method: 'POST',
    url: '/mcp',
    payload: message,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(who && { authorization: `Bearer ${bearer[who] ?? who}` }),
      ...headers,
    },
  })
}

/** The answer to a message, out of its stream. Throws if it is an error. */
export async function rpc(t: TestApp, who: string, method: string, params: object = {}) {
  const answer = await post(t, who, { jsonrpc: '2.0', id: 1, method, params })
  const data = /^data: (.*)$/m.exec(answer.body)?.[1]
  if (!data) throw new Error(`${answer.statusCode} ${answer.body}`)
  const { result, error } = JSON.parse(data)
  if (error) throw Object.assign(new Error(error.message), { code: error.code })
  return result
}

export async function tool(t: TestApp, who: string, name: string, args: object = {}) {
  const result: CallToolResult = await rpc(t, who, 'tools/call', { name, arguments: args })
  const [only] = result.content
  const text = only?.type === 'text' ? only.text : ''
  const json = /<data>\n(.*)\n<\/data>/.exec(text)?.[1]
  const more = /these cursors: (.*)$/m.exec(text)?.[1]
  return {
    text,
    isError: result.isError ?? false,
    data: membersOf(json && JSON.parse(json)),
    cursors: (more ? JSON.parse(more) : []) as { part?: string; cursor: string }[],
  }
}
