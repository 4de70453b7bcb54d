import { type ShownRequest, urlOf } from '@switchroom/contract'
import { queryClient } from '../api'
import type { Endpoint } from '../endpoints'
import { isRecord } from '../records'

/** A request before the endpoint's schema has normalized it. */
export type CopyRequest = { endpoint: Endpoint; sent: object }

/** The request as it would be sent; as entered if it would be refused. */
export async function shownRequest({ endpoint, sent }: CopyRequest): Promise<ShownRequest> {
  const parsed = await endpoint.parse(sent).catch(() => sent)
  const body: unknown = isRecord(parsed) ? parsed.body : undefined
  return { method: endpoint.method, url: urlOf(endpoint, parsed), body }
}

/** The request that read this data, from the query client, so that no list has to name it again. */
export function readRequest(data: object): ShownRequest | undefined {
  const found = queryClient
    .getQueryCache()
    .getAll()
    .find((query) => query.state.data === data)
  const [path, sent] = found?.queryKey ?? []
  return typeof path === 'string' && path.startsWith('/') && isRecord(sent)
    ? { method: 'GET', url: urlOf({ path: path as `/${string}` }, sent), body: undefined }
    : undefined
}
