import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import {
  accounts,
  api,
  type Endpoint,
  parseRequest,
  settings,
  users,
  voipCarriers,
} from './index.ts'

const SID = '0A1B2C3D-0000-4000-8000-0123456789AB'
/** Values of form fields, and what clients send for them. */
const VALUES: unknown[] = [
  'x',
  ' spaced ',
  '',
  null,
  SID,
  'sip.example.com',
  'https://example.com/hook',
  'someone@example.com',
  '192.0.2.1',
  '+15551234567',
  '10.0.0.0/8, 192.0.2.1',
  '[{"verb":"hangup"}]',
  '12',
  'en-US',
  'eur',
  5,
  5_000,
  0,
  true,
  false,
  {},
  new Uint8Array([1]),
  '2026-11-22T13:01:58.000Z',
  '2026-01-31',
  'wh_secret_1111111111111111111111',
  ['someone@example.com'],
  // a command to a call, and bodies that start a call or send a message
  { call_status: 'completed' },
  { from: '1', to: { type: 'phone', number: '2' }, application_sid: SID },
  { from: '1', to: '2', text: 'hello' },
  { kind: 'mail', name: 'Ops', address: 'ops@example.com', alert_types: ['tts-failure'] },
]

type Def = {
  type: string
  shape?: Record<string, z.ZodType>
  options?: z.ZodType[]
  element?: z.ZodType
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  keyType?: z.ZodType
  valueType?: z.ZodType
  entries?: Record<string, unknown>
  values?: unknown[]
}

/** Endpoints share many of their schemas. */
const samplesOf = new Map<z.ZodType, unknown[]>()

/** Valid inputs of a schema, covering every variant of its parts. */
function samples(schema: z.ZodType): unknown[] {
  const known = samplesOf.get(schema)
  if (known) return known
  const taken = candidates(schema.def as unknown as Def).filter(
    (value) => schema.safeParse(value).success,
  )
  const all = [...new Map(taken.map((value) => [JSON.stringify(value), value])).values()]
  samplesOf.set(schema, all)
  return all
}

function candidates(def: Def): unknown[] {
  if (def.shape) return [...objects(def.shape), ...VALUES]
  if (def.options) return def.options.flatMap(samples)
  if (def.element) return [[], ...samples(def.element).map((value) => [value])]
  if (def.innerType) return [...samples(def.innerType), null, undefined]
  // one side is a function, which accepts only what the other accepts
  if (def.in && def.out)
    return def.in.def.type === 'transform' ? [...VALUES, ...samples(def.out)] : samples(def.in)
  if (def.keyType && def.valueType) {
    const [key = 'x'] = samples(def.keyType).filter((k) => typeof k === 'string' && k) as string[]
    return [{}, ...samples(def.valueType).map((value) => ({ [key]: value }))]
  }
  return [...VALUES, ...Object.values(def.entries ?? {}), ...(def.values ?? [])]
}

/** An input with all fields, one with the required ones, and each with one value changed. */
function objects(shape: Record<string, z.ZodType>): unknown[] {
  const of = Object.entries(shape).map(([key, schema]) => [key, samples(schema)] as const)
  const full = Object.fromEntries(of.map(([key, [first]]) => [key, first]))
  const needed = of.filter(([key]) => !shape[key]!.safeParse(undefined).success)
  const least = Object.fromEntries(needed.map(([key, [first]]) => [key, first]))
  return [full, least].flatMap((base) =>
    of.flatMap(([key, values]) => values.map((value) => ({ ...base, [key]: value }))),
  )
}

const bodies = Object.values(api)
  .flatMap((group) => Object.values(group as Record<string, Endpoint>))
  .filter((e) => e.body && !e.takesFile && !e.takesCsv)
  .map((e) => [`${e.method} ${e.path}`, e.body!] as const)

describe('what a body’s schema gives out', () => {
  it.each(bodies)('is taken as it is: %s', (_, body) => {
    const inputs = samples(body)
    expect(inputs.length).toBeGreaterThan(0)
    const changed = inputs.filter((input) => {
      const sent = JSON.stringify(body.parse(input))
      const again = body.safeParse(JSON.parse(sent))
      return JSON.stringify(again.data) !== sent
    })
    expect(changed).toEqual([])
  })
})

describe('outgoing', () => {
  it('sends nothing for an empty choice, and numbers as numbers', () => {
    const body = {
      name: ' Acme ',
      sip_realm: ' ',
      siprec_hook_sid: '',
      limits: { voice_call_session: '5' as unknown as number },
      registration_hook: { url: '' },
    }
    expect(parseRequest(accounts.create, { body }).body).toEqual({
      name: 'Acme',
      sip_realm: null,
      siprec_hook_sid: null,
      limits: { voice_call_session: 5 },
      registration_hook: null,
    })
  })

  it('leaves what the schema does not know at home', () => {
    const body = { domain_name: 'example.com', min_password_length: 8 }
    expect(parseRequest(settings.saveSystemInformation, { body }).body).toEqual({
      domain_name: 'example.com',
    })
  })

  it('keeps everything else of a call', () => {
    const params = { user_sid: SID }
    const sent = { params, version: '7', body: { name: 'a' } }
    expect(parseRequest(users.update, sent)).toEqual(sent)
    expect(parseRequest(users.view, { params })).toEqual({ params })
  })

  it('refuses what the server would refuse, before it is sent', () => {
    const body = { name: '' }
    expect(() => parseRequest(voipCarriers.create, { body })).toThrow(
      expect.objectContaining({
        status: 400,
        body: expect.objectContaining({
          code: 'invalid',
          msg: 'Enter the name',
          issues: [{ path: ['name'], message: 'Enter the name' }],
        }),
      }),
    )
  })
})
