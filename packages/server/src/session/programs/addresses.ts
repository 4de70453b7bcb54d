import { CLI_CLIENT_ID, type ProgramUse } from '@switchroom/contract'
import type { Config } from '../../config/config.ts'
import { BASE_PATH } from '../../http/base-paths.ts'

type Base = Pick<Config, 'base_url'>

/** Issuer of the tokens: the operator's public address, never one from a request. */
export const issuerOf = ({ base_url }: Base) => new URL(base_url!).origin

export const PATHS: Record<ProgramUse, string> = { api: BASE_PATH, mcp: '/mcp' }

/** The resource (RFC 8707) of tokens for a use. */
export const resourceOf = (config: Base, use: ProgramUse) => issuerOf(config) + PATHS[use]

/** The use that a resource stands for, if this server has it. */
export const useOf = (config: Base & Pick<Config, 'mcp'>, resource: string) =>
  (config.mcp ? (['mcp', 'api'] as const) : (['api'] as const)).find(
    (use) => resourceOf(config, use) === resource.replace(/\/$/, ''),
  )

/** Path of a resource's metadata (RFC 9728). */
export const METADATA_PATH = '/.well-known/oauth-protected-resource'
export const metadataOf = (config: Base, use: ProgramUse) =>
  issuerOf(config) + METADATA_PATH + PATHS[use]

/** The command line. Its listener has a port of its own each time, as RFC 8252 allows. */
export const CLI = {
  program_sid: CLI_CLIENT_ID,
  name: 'Switchroom CLI',
  redirect_uris: ['http://127.0.0.1/callback'],
}
