import { Readable } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../http/context.ts'
import { callTool } from './call-tool.ts'
import { type Caller, callerOf } from './caller.ts'
import type { Surface, Tool } from './surface.ts'

type Exchange = {
  app: FastifyInstance
  ctx: Context
  request: FastifyRequest
  reply: FastifyReply
}

/** Answers one request: with a server and a transport of its own, as the protocol's SDK wants where there are no sessions. */
export async function answerMcp(
  { app, ctx, request, reply }: Exchange,
  surfaceFor: (caller: Caller) => Surface,
) {
  const left = new AbortController()
  const caller = callerOf(app, ctx, request, left.signal)
  const server = serverFor(caller, surfaceFor(caller))
  const transport = new WebStandardStreamableHTTPServerTransport()
  // failures after the client has left concern nobody
  server.onerror = (err) => request.log.info({ err }, 'an MCP message failed')
  await server.connect(transport)
  reply.raw.once('close', () => {
    left.abort()
    void server.close()
  })
  const { status, headers, body } = await transport.handleRequest(asWebRequest(request), {
    parsedBody: request.body,
  })
  reply.status(status).headers(Object.fromEntries(headers)).header('cache-control', 'no-store')
  return reply.send(body ? Readable.fromWeb(body as NodeStream) : undefined)
}

/** The request without its body, which is parsed already, and with a made-up URL, which nothing reads. */
function asWebRequest({ headers }: FastifyRequest) {
  const own = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  return new Request('http://localhost/mcp', { method: 'POST', headers: own })
}

const unknown = (what: string, name: string) =>
  new McpError(ErrorCode.InvalidParams, `There is no ${what} ${JSON.stringify(name.slice(0, 100))}`)

function serverFor(caller: Caller, surface: Surface) {
  const { instructions, tools, resources, templates, prompts } = surface
  const server = new Server(
    { name: 'switchroom', title: 'Switchroom', version: PROTOCOL_NAME_VERSION },
    { instructions, capabilities: { tools: {}, resources: {}, prompts: {} } },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(listed) }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (!tool) throw unknown('tool', params.name)
    return callTool(tool, params.arguments ?? {}, caller, extra)
  })
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: resources.map((one) => one.listed),
  }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: templates.map((one) => one.listed),
  }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const fixed = resources.find((one) => one.listed.uri === uri)
    if (fixed) return fixed.read(caller)
    for (const { read } of templates) {
      const found = read(uri, caller)
      if (found) return found
    }
    throw unknown('resource', uri)
  })
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: prompts.map((one) => one.listed),
  }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const prompt = prompts.find((one) => one.listed.name === params.name)
    if (!prompt) throw unknown('prompt', params.name)
    const missing = prompt.listed.arguments?.find(
      ({ name, required }) => required && !params.arguments?.[name],
    )
    if (missing) throw new McpError(ErrorCode.InvalidParams, `${missing.name} is missing`)
    return prompt.get(params.arguments ?? {})
  })
  return server
}

/** The product's version is not for everybody, and clients need none. */
const PROTOCOL_NAME_VERSION = '1'

const listed = ({ name, title, description, input, annotations }: Tool) => ({
  name,
  title,
  description,
  annotations: { title, ...annotations },
  inputSchema: z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as {
    type: 'object'
  },
})
