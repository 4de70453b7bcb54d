import type { FastifyRequest } from 'fastify'

/** Both are the platform's: its clients use one behind a proxy and the other without. */
export const BASE_PATHS = ['/v1', '/api/v1'] as const

/**
 * Whether a request is for the API. Decided by the route that answers it, because a URL has many spellings
 * that lead there: another case, `//v1`, `/%761`, an absolute form. Only what has no route is told by its URL.
 */
export const isApi = ({ routeOptions, url }: FastifyRequest) => {
  const path = routeOptions.url ?? url.replace(/\/{2,}/g, '/').toLowerCase()
  return BASE_PATHS.some((base) => path === base || path.startsWith(`${base}/`))
}
