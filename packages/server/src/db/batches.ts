/** Rows of one statement. */
export const BATCH = 500
/** With more rows than this, others would notice it if they were written like any others: they are written by `bulk`. */
export const LARGE = 1_000

export function* batchesOf<X>(all: readonly X[], size = BATCH) {
  for (let i = 0; i < all.length; i += size) yield all.slice(i, i + size)
}

/** Batches of items that arrive one by one. */
export async function* batchesFrom<X>(all: AsyncIterable<X>): AsyncGenerator<X[]> {
  let batch: X[] = []
  for await (const one of all) {
    batch.push(one)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
