import type { FastifyRequest } from 'fastify'

/** Path prefix of the routes. */
export const BASE_PATH = '/api/v1'
/** An alias, because clients of the platform use one behind a proxy and the other without. */
export const SHORT_BASE_PATH = '/v1'

/** The version in these paths. The product's is not for strangers, who may read the API's description. */
export const API_VERSION = '1'

/**
 * True if a request is for the API. Decided by the matched route, because many spellings of a URL reach it: another
 * case, `//v1`, `/%761`, an absolute form. The URL decides only where no route matches.
 */
export const isApi = ({ routeOptions, url }: FastifyRequest) => {
  const path = routeOptions.url ?? url.replace(/\/{2,}/g, '/').toLowerCase()
  return path === BASE_PATH || path.startsWith(`${BASE_PATH}/`)
}

/** Declared path of the matched route, under the base path that the caller chose. */
export const routeOf = ({ routeOptions: { url }, originalUrl, raw }: FastifyRequest) =>
  originalUrl === raw.url ? url : url?.replace(BASE_PATH, SHORT_BASE_PATH)
