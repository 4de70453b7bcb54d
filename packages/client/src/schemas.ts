import { api, type Endpoint, type Group, parseRequest } from '@switchroom/contract'

/** Parses the request by the endpoint's schema. Throws the error that the server would answer with. */
export function parsed(group: string, name: string, request: { body?: unknown }) {
  const endpoint: Endpoint = (api as Record<string, Group>)[group]![name]!
  return { ...request, ...parseRequest(endpoint, { body: request.body }) }
}
