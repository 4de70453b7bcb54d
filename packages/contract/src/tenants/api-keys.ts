import { z } from 'zod'
import {
  Flag,
  FlagIn,
  listQuery,
  ofAccount,
  pageOf,
  Sid,
  SidOrNull,
  serviceProviderParams,
  TextOrNull,
  versioned,
} from '../wire/common.ts'
import { endpoints, lists, removes, updates, views } from '../wire/endpoint.ts'
import { StringOrNull } from '../wire/fields.ts'
import { hidden } from '../wire/hidden.ts'
import { keysOf } from '../wire/records.ts'
import { t } from '../wire/text.ts'
import { API_KEY_KINDS } from './key-kinds.ts'

const KINDS = keysOf(API_KEY_KINDS)

/** An API key in a list. The token is masked: it is shown once, when the key is created. */
export const ApiKey = z.object({
  api_key_sid: z.string(),
  token: hidden(z.string()),
  account_sid: StringOrNull,
  service_provider_sid: StringOrNull,
  expires_at: StringOrNull,
  last_used: StringOrNull,
  created_at: StringOrNull,
  // the rest is Switchroom's own, and empty for keys created by a stock server
  name: z.string().nullish(),
  /** The name of the user or key that created it. */
  created_by: z.string().nullish(),
  /** True if the key may only read. */
  view_only: Flag.optional(),
  /** Null means all kinds. */
  kinds: z.array(z.enum(KINDS)).nullish(),
  /** CIDR networks it may be used from; null means any. */
  networks: z.array(z.string()).nullish(),
  last_used_ip: z.string().nullish(),
  /** The key it was rotated to. It stays valid until it expires. */
  replaced_by: z.string().nullish(),
})
export type ApiKey = z.infer<typeof ApiKey>
export const ApiKeyView = ApiKey.extend(versioned)
export type ApiKeyView = z.infer<typeof ApiKeyView>

const NOT_A_NETWORK = t('Enter IP addresses or networks such as 203.0.113.0/24')

/** A CIDR network. A single address is a network of one. */
export const Network = z.union(
  [
    z.cidrv4(),
    z.cidrv6(),
    z.ipv4().transform((ip) => `${ip}/32`),
    z.ipv6().transform((ip) => `${ip}/128`),
  ],
  NOT_A_NETWORK,
)

const Kinds = z.array(z.enum(KINDS, t('Choose from the list'))).max(KINDS.length)
const Networks = z.array(Network).max(20)

const distinct = <T>(all: T[] | null) => all && [...new Set(all)]
/** An empty list is no limit, like null. */
const limit = <T>(list: z.ZodType<T[], T[]>) =>
  list.nullable().transform((all) => (all?.length === 0 ? null : distinct(all)))

const MAX_SECONDS = 3_153_600_000

export const ApiKeyCreate = z.object({
  account_sid: SidOrNull.optional(),
  service_provider_sid: SidOrNull.optional(),
  /** Seconds until the key expires. Omitted means never. */
  expiry_secs: z.coerce.number().int().min(1).max(MAX_SECONDS).nullish(),
  name: TextOrNull(64).optional(),
  view_only: FlagIn.default(0),
  kinds: limit(Kinds).optional(),
  networks: limit(Networks).optional(),
})

/**
 * Omitted fields keep their stored values; the token never changes. Null is no limit. An empty list is refused: it is
 * what a read shows of limits that cannot be read, which allow nothing.
 */
export const ApiKeyUpdate = z
  .object({
    name: TextOrNull(64),
    view_only: FlagIn,
    kinds: Kinds.min(1, t('Select at least one kind')).nullable().transform(distinct),
    networks: Networks.min(1, t('Enter at least one network')).nullable().transform(distinct),
    /** ISO 8601. Null means never. */
    expires_at: z.iso
      .datetime({ offset: true, error: t('Enter a time such as 2027-01-31T00:00:00Z') })
      .nullable(),
  })
  .partial()

/** The longest time that a rotated key stays valid beside its successor. */
export const MAX_OVERLAP_SECS = 30 * 86_400

export const ApiKeyRotation = z.object({
  /** Seconds that the old key stays valid. Never longer than it would have been. */
  overlap_secs: z.coerce.number().int().min(0).max(MAX_OVERLAP_SECS).default(86_400),
})

const query = listQuery('api_key_sid')
const one = {
  path: '/ApiKeys/:api_key_sid',
  params: z.object({ api_key_sid: Sid }),
  access: 'account',
} as const
const Token = z.object({ sid: z.string(), token: z.string() })

export const apiKeys = endpoints({
  list: {
    path: '/ApiKeys',
    access: 'admin',
    ...lists,
    own: true,
    summary: "List administrators' API keys",
    query,
    response: pageOf(ApiKey),
  },
  create: {
    path: '/ApiKeys',
    access: 'account',
    method: 'POST',
    summary: 'Create an API key',
    body: ApiKeyCreate,
    status: 201,
    response: Token,
  },
  view: { ...one, ...views, own: true, summary: 'Get an API key', response: ApiKeyView },
  update: {
    ...one,
    ...updates,
    own: true,
    summary: 'Update the name, expiry and limits of an API key',
    body: ApiKeyUpdate,
  },
  rotate: {
    ...one,
    path: '/ApiKeys/:api_key_sid/Rotate',
    method: 'POST',
    own: true,
    summary: 'Create a successor of an API key, and let the old one expire',
    body: ApiKeyRotation,
    response: Token,
  },
  remove: { ...one, ...removes, summary: 'Delete an API key' },
  ofAccount: {
    ...ofAccount('/ApiKeys'),
    ...lists,
    summary: 'List API keys of an account',
    query,
    response: pageOf(ApiKey),
  },
  ofServiceProvider: {
    path: '/ServiceProviders/:service_provider_sid/ApiKeys',
    params: serviceProviderParams,
    access: 'account',
    ...lists,
    summary: 'List API keys of a service provider',
    query,
    response: pageOf(ApiKey),
  },
})
