import { z } from 'zod'
import type { Line, World } from './lines.ts'

/** Place of a sid in a request: `['routes', '[]', 'voip_carrier_sid']` in the body. */
export type SidField = {
  at: 'params' | 'query' | 'body'
  path: string[]
}

type Json = {
  format?: string
  type?: unknown
  properties?: Record<string, Json>
  items?: Json
  anyOf?: Json[]
  oneOf?: Json[]
  allOf?: Json[]
}

/** Every field that a schema declares a sid, and every one whose name says so. */
export function sidFields(at: SidField['at'], schema: z.ZodType | undefined): SidField[] {
  if (!schema) return []
  const found = new Map<string, SidField>()
  const walk = (json: Json, path: string[]) => {
    const name = path.findLast((part) => part !== '[]') ?? ''
    const isSid = json.format === 'uuid' || (/(?:^|_)sid$/i.test(name) && !json.properties)
    if (isSid) return void found.set(path.join('.'), { at, path })
    for (const [key, member] of Object.entries(json.properties ?? {})) walk(member, [...path, key])
    if (json.items) walk(json.items, [...path, '[]'])
    for (const one of [json.anyOf, json.oneOf, json.allOf])
      for (const json of one ?? []) walk(json, path)
  }
  walk(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json, [])
  return [...found.values()]
}

/** Resource that a sid field names, by the field's name. A new name needs a line here, or the test fails. */
const NAMED: Record<string, keyof World> = {
  account_sid: 'account',
  service_provider_sid: 'sp',
  application_sid: 'application',
  run_sid: 'run',
  repeats: 'run',
  test_case_sid: 'testCase',
  simulated_caller_sid: 'simulatedCaller',
  suite_sid: 'suite',
  device_calling_application_sid: 'application',
  siprec_hook_sid: 'application',
  voip_carrier_sid: 'carrier',
  voip_carrier_sids: 'carrier',
  inbound_carrier_sid: 'carrier',
  default_carrier: 'shared',
  sip_gateway_sid: 'gateway',
  smpp_gateway_sid: 'smpp',
  phone_number_sid: 'number',
  phone_number_sids: 'number',
  client_sid: 'client',
  client_sids: 'client',
  ms_teams_tenant_sid: 'tenant',
  lcr_sid: 'table',
  lcr_route_sid: 'route',
  lcr_carrier_set_entry_sid: 'entry',
  default_carrier_set_entry_sid: 'defaultEntry',
  user_sid: 'user',
  user_sids: 'user',
  break_glass: 'user',
  session_sid: 'session',
  passkey_sid: 'passkey',
  directory_sid: 'directory',
  program_sid: 'program',
  saved_view_sid: 'savedView',
  failure_sid: 'failure',
  assigned_to: 'user',
  rerouted_to: 'carrier',
  sbc_address_sid: 'sbc',
  smpp_address_sid: 'smppAddress',
  api_key_sid: 'key',
  speech_credential_sid: 'credential',
  google_custom_voice_sid: 'voice',
  alert_destination_sid: 'destination',
  event_subscription_sid: 'eventSubscription',
  alert_destination_sids: 'destination',
  webhook_request_sid: 'webhookRequest',
  webhook_sid: 'webhook',
  trunk_report_link_sid: 'trunkReportLink',
  customer_report_link_sid: 'customerReportLink',
  // of the audit log: of anything
  sid: 'application',
}
/** Names of things that no tenant owns. */
const COMMON = ['call_sid', 'predefined_carrier_sid', 'product_sid']

export const kindOf = ({ path }: Pick<SidField, 'path'>) => {
  const name = path.findLast((part) => part !== '[]') ?? ''
  return { kind: NAMED[name], isCommon: COMMON.includes(name) }
}

/** Members that an element needs beside its sid, so that the body is valid. */
const ELEMENTS: Record<string, (w: World) => object> = {
  sip_gateways: () => ({ ipv4: '10.9.9.9', inbound: 1, outbound: 1 }),
  smpp_gateways: () => ({ ipv4: '10.9.9.9', inbound: 0, outbound: 1 }),
  routes: (w) => ({
    regex: '^1',
    priority: 7,
    lcr_carrier_set_entries: [{ voip_carrier_sid: w.shared }],
  }),
  lcr_carrier_set_entries: (w) => ({ voip_carrier_sid: w.shared }),
}

/** Members that a body needs beside this field. */
const BESIDE: Record<string, (w: World) => object> = {
  routes: (w) => ({ default_carrier: w.shared }),
}

/** Members that a body has in place of others. */
const INSTEAD: Record<string, string[]> = {
  matching: ['phone_number_sids', 'client_sids', 'user_sids', 'voip_carrier_sids'],
  deactivated: ['lcr', 'carrier'],
}

type Node = Record<string, unknown>

/** A copy of a body with this sid in place; missing members around it are added. */
function placed(body: unknown, path: string[], sid: string, w: World): unknown {
  const [name, ...rest] = path
  if (name === undefined) return sid
  if (name === '[]') {
    const [first, ...others] = Array.isArray(body) ? body : []
    return [placed(first, rest, sid, w), ...others]
  }
  const node = Object.fromEntries(
    Object.entries({ ...(body as Node | undefined) }).filter(
      ([member]) => !INSTEAD[name]?.includes(member),
    ),
  )
  const child =
    node[name] ?? (rest[0] === '[]' && rest.length > 1 ? [ELEMENTS[name]?.(w)] : undefined)
  return { ...node, [name]: placed(child, rest, sid, w) }
}

/** A line whose field names this sid in place of the caller's own. */
export function naming(line: Line, { at, path }: SidField, sid: string): Line {
  const flat = (w: World, of: Line['params']) => ({ ...of?.(w), [path.at(-1)!]: sid })
  if (at === 'params') return { ...line, params: (w) => flat(w, line.params) }
  if (at === 'query') return { ...line, query: (w) => flat(w, line.query) }
  return {
    ...line,
    body: (w) => {
      const body = placed(line.body?.(w) ?? {}, path, sid, w)
      return (
        Array.isArray(body) ? body : { ...BESIDE[path[0]!]?.(w), ...(body as object) }
      ) as object
    },
  }
}
