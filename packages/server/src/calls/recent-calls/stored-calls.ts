import type { Call } from '@switchroom/contract'
import type { SelectQueryBuilder } from 'kysely'
import type { Tables } from '../../db/open.ts'
import type { CallStore, Page } from '../../stores/calls/store.ts'

/** Calls that an export reads at once. */
const BATCH = 500

type From<T extends keyof Tables> = SelectQueryBuilder<Tables, T, object>
type Use = 'switchroom_model_use'
type Scores = 'switchroom_call_scores'

/** Calls that rows of the database tell of, newest first by `time`, with their records. */
export function storedCalls(
  calls: Pick<CallStore, 'find'>,
  all: From<Use> | From<Scores>,
  time: 'began_at' | 'called_at',
): { list: (page: Page) => ReturnType<CallStore['list']>; each: () => AsyncIterable<Call> } {
  // both tables have the columns that are read
  const query = all as From<Use | Scores>
  const rows = async ({ limit, offset }: Page) => {
    const read = await query
      .select(['account_sid', 'call_sid'])
      .orderBy(time, 'desc')
      .orderBy('call_sid')
      .limit(limit)
      .offset(offset)
      .execute()
    const found = await Promise.all(
      read.map(({ account_sid, call_sid }) => calls.find({ account_sid }, { call_sid })),
    )
    // records may be kept for a shorter time
    return { read: read.length, data: found.filter((call) => call !== undefined) }
  }
  return {
    async list(page) {
      const { n } = await query.select((eb) => eb.fn.countAll().as('n')).executeTakeFirstOrThrow()
      const total = Number(n)
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
