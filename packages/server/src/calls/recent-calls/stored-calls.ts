import type { Call } from '@switchroom/contract'
import type { CallStore, Page } from '../../stores/calls/store.ts'

/** Calls that an export reads at once. */
const BATCH = 500

export type StoredCalls = {
  count: () => Promise<number>
  /** In the order of the list. */
  keys: (page: Page) => Promise<{ account_sid: string; call_sid: string }[]>
}

/** Calls that a table of the database tells of, with their records. */
export function storedCalls(
  calls: Pick<CallStore, 'find'>,
  { count, keys }: StoredCalls,
): { list: (page: Page) => ReturnType<CallStore['list']>; each: () => AsyncIterable<Call> } {
  const rows = async (page: Page) => {
    const read = await keys(page)
    const found = await Promise.all(
      read.map(({ account_sid, call_sid }) => calls.find({ account_sid }, { call_sid })),
    )
    // records may be kept for a shorter time
    return { read: read.length, data: found.filter((call) => call !== undefined) }
  }
  return {
    async list(page) {
      const total = await count()
      return { data: page.limit === 0 ? [] : (await rows(page)).data, total }
    },
    async *each() {
      for (let offset = 0; ; offset += BATCH) {
        const { read, data } = await rows({ limit: BATCH, offset })
        yield* data
        if (read < BATCH) return
      }
    },
  }
}
