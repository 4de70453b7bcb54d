import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type {
  CallToolResult,
  GetPromptResult,
  Prompt as ListedPrompt,
  Resource as ListedResource,
  ReadResourceResult,
  ResourceTemplate,
  ToolAnnotations,
} from '@modelcontextprotocol/sdk/types.js'
import type { z } from 'zod'
import type { Caller } from './caller.ts'

/** Lets a tool report to its client while it works. */
export type Extra = Parameters<Parameters<Server['setRequestHandler']>[1]>[1]

export type Tool = {
  name: string
  title: string
  description: string
  input: z.ZodObject
  annotations: ToolAnnotations
  /** Takes the arguments as they were sent, once `input` has found them valid. */
  run: (args: Record<string, unknown>, caller: Caller, extra: Extra) => Promise<CallToolResult>
}

export type Resource = {
  listed: ListedResource
  read: (caller: Caller) => Promise<ReadResourceResult>
}

export type Template = {
  listed: ResourceTemplate
  /** Undefined if the address is not one of it. */
  read: (uri: string, caller: Caller) => Promise<ReadResourceResult> | undefined
}

export type Prompt = {
  listed: ListedPrompt
  get: (args: Record<string, string>) => GetPromptResult
}

/** Everything that a caller is offered. */
export type Surface = {
  instructions: string
  tools: Tool[]
  resources: Resource[]
  templates: Template[]
  prompts: Prompt[]
}
