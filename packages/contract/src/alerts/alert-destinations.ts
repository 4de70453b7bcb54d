import { z } from 'zod'
import {
  Flag,
  FlagIn,
  listQuery,
  pageOf,
  resource,
  SecretOrNull,
  Sid,
  SidOrNull,
  Text,
  TextOrNull,
  versioned,
} from '../wire/common.ts'
import { adds, endpoints, lists, removes, updates, views } from '../wire/endpoint.ts'
import type { Issue } from '../wire/error-body.ts'
import { StringOrNull } from '../wire/fields.ts'
import { hidden } from '../wire/hidden.ts'
import { MASK } from '../wire/mask.ts'
import { keysOf } from '../wire/records.ts'
import { listText, t } from '../wire/text.ts'
import { DESTINATION_TYPES } from './alert-types.ts'
import { DESTINATION_NAMES } from './destination-names.ts'

type Field = {
  label: string
  /** The error for an empty one. */
  missing: string
  help?: string
  placeholder?: string
  options?: readonly { value: string; label: string }[]
  /** Why the value is invalid, or undefined. */
  problem: (text: string) => string | undefined
}
type Kind = { name: string; address?: Field; secret?: Field }

function webAddress(text: string, ...protocols: string[]): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !protocols.includes(url.protocol))
    return t('Enter a URL that starts with {protocols}', {
      protocols: listText(
        protocols.map((p) => `${p}//`),
        'disjunction',
      ),
    })
  return url.username || url.password
    ? t('Remove the username and password from the URL')
    : undefined
}

const REGIONS = [
  { value: 'us', label: t('United States') },
  { value: 'eu', label: t('Europe') },
] as const

/** The kinds of destination, as data: forms, validation and masking follow from it. */
export const DESTINATION_KINDS = {
  webhook: {
    name: DESTINATION_NAMES.webhook,
    address: {
      label: 'URL',
      missing: t('Enter the URL'),
      placeholder: 'https://example.com/alerts',
      problem: (text) => webAddress(text, 'https:', 'http:'),
    },
    secret: {
      label: t('Signing secret'),
      missing: t('Enter the signing secret'),
      help: t('Signs every delivery, as described at standardwebhooks.com.'),
      placeholder: 'whsec_…',
      problem: (text) =>
        /^whsec_(?=.{32,88}$)[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 2
          ? undefined
          : t('Enter whsec_ followed by 24 to 64 bytes in base64'),
    },
  },
  slack: {
    name: DESTINATION_NAMES.slack,
    secret: {
      label: t('Webhook URL'),
      missing: t('Enter the webhook URL'),
      help: t('The URL of an incoming webhook in your Slack workspace.'),
      placeholder: 'https://hooks.slack.com/services/…',
      problem: (text) => webAddress(text, 'https:'),
    },
  },
  pagerduty: {
    name: DESTINATION_NAMES.pagerduty,
    address: {
      label: t('Service region'),
      missing: t('Enter the service region'),
      options: REGIONS,
      problem: (text) =>
        REGIONS.some((r) => r.value === text) ? undefined : t('Choose a service region'),
    },
    secret: {
      label: t('Integration key'),
      missing: t('Enter the integration key'),
      help: t('The key of an Events API v2 integration.'),
      problem: (text) =>
        /^[A-Za-z0-9]{32}$/.test(text)
          ? undefined
          : t('Enter the 32 letters and digits that PagerDuty shows'),
    },
  },
  mail: {
    name: DESTINATION_NAMES.mail,
    address: {
      label: t('Email'),
      missing: t('Enter the email'),
      placeholder: 'ops@example.com',
      problem: (text) =>
        z.email().safeParse(text).success ? undefined : t('Enter an email address'),
    },
  },
} as const satisfies Record<string, Kind>
export type DestinationKind = keyof typeof DESTINATION_KINDS
const KINDS = keysOf(DESTINATION_KINDS)
export const destinationKind = (kind: DestinationKind): Kind => DESTINATION_KINDS[kind]

const notAccepted = (kind: string, name: 'address' | 'secret') =>
  name === 'address'
    ? t('{kind} does not accept address', { kind })
    : t('{kind} does not accept secret', { kind })

/** Issues with a destination's settings. A mask stands for the stored secret. */
export function destinationIssues(
  kind: DestinationKind,
  values: { address?: string | null | undefined; secret?: string | null | undefined },
): Issue[] {
  const fields = destinationKind(kind)
  return (['address', 'secret'] as const).flatMap((name) => {
    const value = values[name]
    const field = fields[name]
    const problem = !field
      ? value && notAccepted(fields.name, name)
      : !value
        ? field.missing
        : name === 'secret' && value === MASK
          ? undefined
          : field.problem(value)
    return problem ? [{ path: [name], message: problem }] : []
  })
}

export const AlertDestination = z.object({
  alert_destination_sid: z.string(),
  /** Belongs to an account, or to a provider and then covers all its accounts. */
  account_sid: StringOrNull,
  service_provider_sid: StringOrNull,
  name: z.string(),
  kind: z.enum(KINDS),
  address: hidden(StringOrNull, 'host'),
  secret: hidden(StringOrNull),
  /** Empty means all types of alerts, but no failures. */
  alert_types: z.array(z.string()),
  is_active: Flag,
  /** ISO 8601; null while nothing was sent. */
  last_tried_at: StringOrNull,
  /** Why the last delivery failed; null if it succeeded. */
  last_error: StringOrNull,
})
export type AlertDestination = z.infer<typeof AlertDestination>
export const AlertDestinationView = AlertDestination.extend(versioned)
export type AlertDestinationView = z.infer<typeof AlertDestinationView>
export const AlertDestinationItem = AlertDestination.extend({
  account_name: StringOrNull,
})
export type AlertDestinationItem = z.infer<typeof AlertDestinationItem>

const TYPES = keysOf(DESTINATION_TYPES)
const common = {
  name: Text(64),
  address: TextOrNull(500),
  secret: SecretOrNull(500),
  alert_types: z
    .array(z.enum(TYPES, t('Choose an alert type from the list')))
    .max(TYPES.length)
    .transform((types) => [...new Set(types)].sort()),
  is_active: FlagIn,
}

export const AlertDestinationCreate = z
  .object({
    ...common,
    kind: z.enum(KINDS, t('Choose a type')),
    /** Callers of an account may omit the owner. */
    account_sid: SidOrNull.optional(),
    service_provider_sid: SidOrNull.optional(),
    address: common.address.optional(),
    secret: common.secret.optional(),
    alert_types: common.alert_types.default([]),
    is_active: common.is_active.default(1),
  })
  .superRefine((body, ctx) => {
    for (const issue of destinationIssues(body.kind, body))
      ctx.addIssue({ code: 'custom', ...issue })
    if (body.secret === MASK)
      ctx.addIssue({ code: 'custom', path: ['secret'], message: t('Enter the secret again') })
  })

/** Omitted fields keep their stored values. The kind cannot change. */
export const AlertDestinationUpdate = z.object(common).partial()

/** The result of sending a test message. */
export const DestinationTest = z.object({ ok: z.boolean(), message: z.string() })

const { one, all } = resource('/AlertDestinations', { alert_destination_sid: Sid })

export const alertDestinations = endpoints({
  list: {
    ...all,
    ...lists,
    summary: 'List alert destinations',
    own: true,
    query: listQuery('name').extend({
      account_sid: Sid.optional(),
      service_provider_sid: Sid.optional(),
    }),
    response: pageOf(AlertDestinationItem),
  },
  view: {
    ...one,
    ...views,
    own: true,
    summary: 'Get an alert destination',
    response: AlertDestinationView,
  },
  create: {
    ...all,
    ...adds,
    own: true,
    summary: 'Add an alert destination',
    body: AlertDestinationCreate,
  },
  update: {
    ...one,
    ...updates,
    own: true,
    summary: 'Update an alert destination',
    body: AlertDestinationUpdate,
  },
  test: {
    ...one,
    path: '/AlertDestinations/:alert_destination_sid/Test',
    method: 'POST',
    own: true,
    summary: 'Send a test alert and return the answer',
    response: DestinationTest,
  },
  remove: { ...one, ...removes, own: true, summary: 'Delete an alert destination' },
})
