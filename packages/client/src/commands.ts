import { api, type Endpoint, isCreation, lightApi } from '@switchroom/contract'

/** Members of an endpoint that a request needs. */
const MEMBERS = [
  'method',
  'path',
  'mutatesWhen',
  'idempotent',
  'tellsProgress',
  'takesCsv',
  'takesFile',
  'file',
  'stream',
  'download',
  'sound',
  'picture',
  'relayed',
] as const

/** An endpoint as the client knows it, without schemas. */
export type Command = Pick<Endpoint, (typeof MEMBERS)[number]> & {
  takesBody?: true
  /** Parameter for the number of rows, if it returns a page. */
  paged?: 'count' | 'page_size'
  /** True if it creates one thing, so that it can be sent again by its `Idempotency-Key`. */
  creates?: true
}

/** Every endpoint of the contract. The build replaces this module by its value (build.ts). */
export const commands = lightApi(api, MEMBERS, (e) => ({
  takesBody: e.body && true,
  paged: pagedBy(e),
  creates: isCreation(e) || undefined,
})) as unknown as Record<string, Record<string, Command>>

function pagedBy({ method, query }: Endpoint) {
  if (method !== 'GET' || !query || !('page' in query.shape)) return undefined
  return 'count' in query.shape ? 'count' : 'page_size'
}
