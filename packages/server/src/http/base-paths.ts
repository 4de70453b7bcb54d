import type { FastifyRequest } from 'fastify'

/** The platform serves both: its clients use one behind a proxy and the other without. */
export const BASE_PATHS = ['/v1', '/api/v1'] as const

/** The version in these paths. The product's is not for strangers, who may read the API's description. */
export const API_VERSION = '1'

/**
 * Whether a request is for the API. Decided by the matched route, because many spellings of a URL reach it:
 * another case, `//v1`, `/%761`, an absolute form. The URL decides only where no route matches.
 */
export const isApi = ({ routeOptions, url }: FastifyRequest) => {
  const path = routeOptions.url ?? url.replace(/\/{2,}/g, '/').toLowerCase()
  return BASE_PATHS.some((base) => path === base || path.startsWith(`${base}/`))
}
