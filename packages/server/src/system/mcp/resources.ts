import type { CallToolResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js'
import { callTool } from './call-tool.ts'
import type { Caller } from './caller.ts'
import { readable } from './catalogue.ts'
import type { Extra, Resource, Template, Tool } from './surface.ts'

/** Answer of a resource: a tool's answer, bounded, marked and logged as a call of the tool. */
async function answerOf(uri: string, tool: Tool, args: object, caller: Caller) {
  const { content } = await callTool(tool, { ...args }, caller, NO_EXTRA)
  return asContents(uri, content)
}

/** For tools that report no progress. */
const NO_EXTRA = {} as Extra

const asContents = (uri: string, content: CallToolResult['content']): ReadResourceResult => ({
  contents: content.flatMap((one) =>
    one.type === 'text' ? [{ uri, mimeType: 'text/plain', text: one.text }] : [],
  ),
})

type Tools = Record<'describe' | 'explain_failures' | 'figures' | 'list_calls', Tool>

const FIXED: Record<keyof Tools, [path: string, title: string, description: string]> = {
  explain_failures: ['issues', 'What is wrong', 'Open issues, failures and carriers in trouble'],
  figures: ['figures', 'Figures of the last day', 'Calls of the last day and what is unusual'],
  list_calls: ['calls', 'Latest calls', 'The newest calls of the last week'],
  describe: ['endpoints', 'What there is', 'Everything that can be read and changed, by name'],
}

export const resourcesOf = (tools: Tool[]): Resource[] =>
  Object.entries(FIXED).map(([name, [path, title, description]]) => {
    const tool = tools.find((one) => one.name === name)!
    const uri = `switchroom://${path}`
    return {
      listed: { uri, name: path, title, description, mimeType: 'text/plain' },
      read: (caller) => answerOf(uri, tool, {}, caller),
    }
  })

const CALL = /^switchroom:\/\/calls\/([^/?#]+)$/
const THING = /^switchroom:\/\/things\/(\w+)\/([\w-]+)$/

/** By group: the parameter that names the resource its `view` reads. */
const SINGLE = new Map(
  readable.flatMap(({ id, group, e }) => {
    const param = /:(\w+)$/.exec(e.path)?.[1]
    return id === `${group}.view` && param ? [[group, param] as const] : []
  }),
)

export function templatesOf(tools: Tool[]): Template[] {
  const named = (name: string) => tools.find((one) => one.name === name)!
  return [
    {
      listed: {
        uriTemplate: 'switchroom://calls/{call}',
        name: 'call',
        title: 'A call',
        description: 'All that is known of a call, by its call_sid, trace_id or Call-ID',
        mimeType: 'text/plain',
      },
      read: (uri, caller) => {
        const [, call] = CALL.exec(uri) ?? []
        if (!call) return undefined
        return answerOf(uri, named('explain_call'), { call: decoded(call) }, caller)
      },
    },
    {
      listed: {
        uriTemplate: 'switchroom://things/{group}/{sid}',
        name: 'thing',
        title: 'A thing',
        description: 'One thing by its group at /docs and its sid, such as phoneNumbers',
        mimeType: 'text/plain',
      },
      read: (uri, caller) => {
        const [, group, sid] = THING.exec(uri) ?? []
        const param = group && SINGLE.get(group)
        if (!param) return undefined
        const args = { what: `${group}.view`, params: { [param]: sid } }
        return answerOf(uri, named('read'), args, caller)
      },
    },
  ]
}

function decoded(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
