import {
  clientCallOf,
  commandOf,
  commandParameters,
  curlOf,
  type Endpoint,
  kebab,
  type ShownRequest,
  urlOf,
} from '@switchroom/contract'
import { z } from 'zod'
import type { Schema } from './openapi-document.ts'

/** A minimal valid request to an endpoint. */
export type Example = {
  sent: { params?: Sample; query?: Sample; body?: unknown }
  upload?: ShownRequest['upload']
}
type Sample = Record<string, unknown>

const BASE = 'https://console.example.com/api/v1'

/** The example as code: for a shell, for the client package, and for the command line. */
export function snippetsOf(group: string, name: string, endpoint: Endpoint) {
  const { sent, upload } = exampleOf(endpoint)
  const file = upload && { upload }
  const request = { method: endpoint.method, url: urlOf(endpoint, sent), body: sent.body, ...file }
  const { args, flags } = commandParameters(endpoint.path)
  const flag = ([key, value]: [string, unknown]) => `--${kebab(key)}=${value}`
  const words = [
    ...[kebab(group), kebab(name)],
    ...args.map((arg) => String(sent.params?.[arg])),
    ...flags.map((owner) => flag([owner, sent.params?.[owner]])),
    ...Object.entries(sent.query ?? {}).map(flag),
  ]
  return {
    curl: curlOf(BASE, request),
    typescript: clientCallOf(`${group}.${name}`, sent, upload),
    switchroom: commandOf(undefined, request, words),
  }
}

export function exampleOf(endpoint: Endpoint): Example {
  const part = (name: 'params' | 'query') => {
    const sample = endpoint[name] && (sampleOf(jsonSchema(endpoint[name])) as Sample)
    return sample && Object.keys(sample).length > 0 && { [name]: sample }
  }
  const upload = endpoint.takesCsv
    ? ({ file: 'rows.csv', as: 'csv' } as const)
    : endpoint.takesFile
      ? ({ file: 'file.bin', as: 'form' } as const)
      : undefined
  return {
    sent: {
      ...part('params'),
      ...part('query'),
      ...(endpoint.body && !upload && { body: bodyOf(endpoint) }),
    },
    ...(upload && { upload }),
  }
}

const jsonSchema = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema

/** Members that best show the purpose of a body that requires none. */
const PREFERRED_MEMBERS = ['name', 'description', 'label', 'application_sid', 'is_active', 'to']

function bodyOf(endpoint: Endpoint): unknown {
  const schema = endpoint.body!
  const sample = BODIES[endpoint.path] ?? sampleOf(jsonSchema(schema))
  if (schema.safeParse(sample).success && !isEmpty(sample)) return sample
  const { properties = {} } = jsonSchema(schema)
  const names = [
    ...PREFERRED_MEMBERS.filter((name) => name in properties),
    ...Object.keys(properties),
  ]
  const valid = names
    .map((name) => ({ ...(sample as object), [name]: sampleOf(properties[name]!, name) }))
    .find((body) => schema.safeParse(body).success)
  return valid ?? sample
}

const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

const SID = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const DATE = '2026-01-31T12:00:00Z'
const NUMBER = '442079460000'
const CALL = {
  application_sid: SID,
  from: NUMBER,
  to: { type: 'phone', number: '442079460958' },
}
/** Bodies by path, where rules apply that the schemas do not show. */
const BODIES: Record<string, unknown> = {
  '/Accounts/:account_sid/Calls': CALL,
  '/Accounts/:account_sid/Calls/:call_sid': { call_status: 'completed' },
  '/Accounts/:account_sid/Messages': { from: NUMBER, to: '442079460958', text: 'Hello' },
  '/Accounts/:account_sid/ModelSessions': {
    currency: 'USD',
    prices: [
      {
        model: 'gpt-realtime',
        input: 4,
        cached_input: 0.4,
        output: 16,
        minute: null,
        characters: null,
      },
    ],
  },
  '/AlertDestinations': {
    name: 'On call',
    kind: 'webhook',
    address: 'https://example.com/alerts',
    secret: `whsec_${'a'.repeat(32)}`,
  },
  '/Applications/:application_sid/ScoreCard': {
    is_active: true,
    share: 5,
    calls_a_day: 200,
    tokens_a_day: 500_000,
    pass_score: 3,
    rules: [{ kind: 'says', text: 'Welcome' }],
    criteria: [{ name: 'Helpfulness', description: 'The caller gets what they asked for.' }],
    goal: 'To learn the opening hours',
  },
  '/Applications/:application_sid/Suites': {
    start: DATE,
    end: '2026-01-31T18:00:00Z',
  },
  '/Subscriptions': { action: 'update-payment-method', payment_method_id: 'pm_1' },
  '/register': { provider: 'local', email: 'ada@example.com', password: 'a password of yours 1' },
  '/EventSubscriptions/:event_subscription_sid/Replay': { event_id: 'evt_42' },
  '/RouteSimulations/Inbound': { source: '203.0.113.10', number: NUMBER },
  '/RouteSimulations/Outbound': { account_sid: SID, number: '442079460958' },
}

/** Example values, by the name of a member. */
const SAMPLES_BY_NAME: [name: RegExp, text: string][] = [
  [/^webhook_secret$/, `wh_secret_${'a'.repeat(22)}`],
  [/issuer/, 'https://login.example.com'],
  [/_sids?$|^sids?$/, SID],
  [/^trace_id$/, '5f84a2c91b3d4e6f8a7b9c0d1e2f3a4b'],
  [/^digest$/, '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  [/^year$/, '2026'],
  [/^(?:month|day)$/, '01'],
  [/email/, 'ada@example.com'],
  [/url|_hook$/, 'https://example.com/calls'],
  [/number|^to$|^from$/, NUMBER],
  [/ipv4|address|host/, '203.0.113.10'],
  [/regex|pattern/, '^44'],
  [/^vendor$/, 'google'],
  [/(?:^|_)(?:since|until|start|end)$|_at$/, DATE],
  [/password|secret|token/, 'a secret of yours'],
  [/realm|fqdn|domain/, 'sip.example.com'],
  [/language/, 'en-US'],
]
const SAMPLES_BY_FORMAT: Record<string, string> = {
  uuid: SID,
  email: 'ada@example.com',
  uri: 'https://example.com/calls',
  'date-time': DATE,
  date: '2026-01-31',
}

/** A value of a schema: members that must be there, and the first of several choices. */
function sampleOf(schema: Schema, name = ''): unknown {
  const { type, minItems, minimum, format } = schema
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return sampleOf(choices.find((one) => one.type !== 'null') ?? choices[0]!, name)
  if (schema.properties || type === 'object') {
    const members = schema.properties ?? {}
    return Object.fromEntries(
      (schema.required ?? []).flatMap((key) =>
        members[key] ? [[key, sampleOf(members[key], key)]] : [],
      ),
    )
  }
  if (type === 'array')
    return minItems && schema.items ? [sampleOf(schema.items, name.replace(/s$/, ''))] : []
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(1, Number(minimum ?? 1))
  if (type === 'null') return null
  const byName = SAMPLES_BY_NAME.find(([names]) => names.test(name))?.[1]
  return SAMPLES_BY_FORMAT[String(format)] ?? byName ?? 'example'
}
