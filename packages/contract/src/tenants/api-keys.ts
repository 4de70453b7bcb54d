import { z } from 'zod'
import {
  accountParams,
  listQuery,
  NoContent,
  pageOf,
  Sid,
  SidOrNull,
  serviceProviderParams,
} from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { hidden } from '../wire/hidden.ts'

/** An API key in a list. The token is masked: it is shown once, when the key is created. */
export const ApiKey = z.object({
  api_key_sid: z.string(),
  token: hidden(z.string()),
  account_sid: z.string().nullable(),
  service_provider_sid: z.string().nullable(),
  expires_at: z.string().nullable(),
  last_used: z.string().nullable(),
  created_at: z.string().nullable(),
})
export type ApiKey = z.infer<typeof ApiKey>

export const ApiKeyCreate = z.object({
  account_sid: SidOrNull.optional(),
  service_provider_sid: SidOrNull.optional(),
  /** Seconds until the key expires. Omitted means never. */
  expiry_secs: z.coerce.number().int().min(1).max(3_153_600_000).nullish(),
})

const query = listQuery('api_key_sid')

export const apiKeys = endpoints({
  create: {
    path: '/ApiKeys',
    access: 'account',
    method: 'POST',
    summary: 'Create an API key',
    body: ApiKeyCreate,
    status: 201,
    response: z.object({ sid: z.string(), token: z.string() }),
  },
  remove: {
    path: '/ApiKeys/:api_key_sid',
    params: z.object({ api_key_sid: Sid }),
    access: 'account',
    method: 'DELETE',
    summary: 'Delete an API key',
    status: 204,
    response: NoContent,
  },
  ofAccount: {
    path: '/Accounts/:account_sid/ApiKeys',
    params: accountParams,
    access: 'account',
    method: 'GET',
    summary: 'List API keys of an account',
    list: true,
    query,
    response: pageOf(ApiKey),
  },
  ofServiceProvider: {
    path: '/ServiceProviders/:service_provider_sid/ApiKeys',
    params: serviceProviderParams,
    access: 'account',
    method: 'GET',
    summary: 'List API keys of a service provider',
    list: true,
    query,
    response: pageOf(ApiKey),
  },
})
