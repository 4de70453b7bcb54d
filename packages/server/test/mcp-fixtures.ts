import { z } from 'zod'
import type { Prompt, Resource, Surface, Template, Tool } from '../src/system/mcp/surface.ts'

/** Fixtures that the protocol's conformance suite expects of a server, beside our own tools. */

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

const text = (text: string) => ({ type: 'text' as const, text })
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' }
const embedded = (uri: string, mimeType: string, text: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text },
})

const tool = (name: string, run: Tool['run'], input: Tool['input'] = z.object({})): Tool => ({
  name,
  title: name,
  description: `Fixture ${name}`,
  annotations: { readOnlyHint: true },
  input,
  run,
})

/** Schemas in schemas, as only the draft of 2020-12 writes them. */
const Address = z.object({ street: z.string(), city: z.string() }).partial().meta({ id: 'address' })

const tools: Tool[] = [
  tool('test_simple_text', async () => ({
    content: [text('This is a simple text response for testing.')],
  })),
  tool('test_image_content', async () => ({ content: [image] })),
  tool('test_audio_content', async () => ({
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  })),
  tool('test_embedded_resource', async () => ({
    content: [
      embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
  })),
  tool('test_multiple_content_types', async () => ({
    content: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  })),
  tool('test_error_handling', async () => {
    throw new Error('This tool intentionally returns an error for testing')
  }),
  tool('test_tool_with_progress', async (_, __, { _meta, sendNotification }) => {
    const progressToken = _meta?.progressToken
    for (const progress of progressToken === undefined ? [] : [0, 50, 100])
      await sendNotification({
        method: 'notifications/progress',
        params: { progressToken: progressToken!, progress, total: 100 },
      })
    return { content: [text('Done')] }
  }),
  tool(
    'json_schema_2020_12_tool',
    async () => ({ content: [text('Done')] }),
    z.strictObject({ name: z.string().optional(), address: Address.optional() }),
  ),
]

const resource = (uri: string, mimeType: string, contents: object): Resource => ({
  listed: { uri, name: uri, description: `Fixture ${uri}`, mimeType },
  read: async () => ({ contents: [{ uri, mimeType, ...contents } as never] }),
})

const resources = [
  resource('test://static-text', 'text/plain', {
    text: 'This is the content of the static text resource.',
  }),
  resource('test://static-binary', 'image/png', { blob: PNG }),
]

const templates: Template[] = [
  {
    listed: { uriTemplate: 'test://template/{id}/data', name: 'template', description: 'Fixture' },
    read: (uri) => {
      const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1]
      const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` })
      const contents = [{ uri, mimeType: 'application/json', text: data }]
      return id === undefined ? undefined : Promise.resolve({ contents })
    },
  },
]

type Content = ReturnType<Prompt['get']>['messages'][number]['content']
const prompt = (
  name: string,
  args: string[],
  contents: (given: Record<string, string>) => Content[],
): Prompt => ({
  listed: {
    name,
    description: `Fixture ${name}`,
    arguments: args.map((arg) => ({ name: arg, description: 'Fixture', required: true })),
  },
  get: (given) => ({ messages: contents(given).map((content) => ({ role: 'user', content })) }),
})

const prompts = [
  prompt('test_simple_prompt', [], () => [text('This is a simple prompt for testing.')]),
  prompt('test_prompt_with_arguments', ['arg1', 'arg2'], ({ arg1, arg2 }) => [
    text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  ]),
  prompt('test_prompt_with_embedded_resource', ['resourceUri'], ({ resourceUri }) => [
    embedded(resourceUri!, 'text/plain', 'Embedded resource content for testing.'),
    text('Please process the embedded resource above.'),
  ]),
  prompt('test_prompt_with_image', [], () => [image, text('Please analyze the image above.')]),
]

/** Our tools and the suite's fixtures. */
export const withFixtures = (own: Surface): Surface => ({
  ...own,
  tools: [...own.tools, ...tools],
  resources: [...own.resources, ...resources],
  templates: [...own.templates, ...templates],
  prompts: [...own.prompts, ...prompts],
})
