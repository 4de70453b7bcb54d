import { membersOf } from '@switchroom/contract'
import type { AnyRequest } from './call.ts'

type Page = { data: unknown[]; total: number; page_size: number }

const ROWS = 50

/** Makes the request for one page: the first, unless it names another. */
export const pageRequest = (by: 'count' | 'page_size', request: AnyRequest): AnyRequest => ({
  ...request,
  query: { page: 1, [by]: ROWS, ...request.query },
})

/** Yields pages from the request's own on, each fetched when it is needed. */
export async function* pages(ask: (request: AnyRequest) => Promise<unknown>, request: AnyRequest) {
  const first = Number(membersOf(request.query).page ?? 1)
  for (let page = first; ; page++) {
    const found = (await ask({ ...request, query: { ...request.query, page } })) as Page | undefined
    // of live calls there are none without the platform's Redis
    if (!found) return
    yield found
    if (found.data.length === 0 || page * found.page_size >= found.total) return
  }
}
