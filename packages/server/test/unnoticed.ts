import type { TestApp } from './app.ts'

/** Writes as another process would: this one notices nothing. */
export async function unnoticed<T>({ ctx }: Pick<TestApp, 'ctx'>, write: () => Promise<T>) {
  const { writes } = ctx.databaseUse
  const listeners = [...writes]
  writes.clear()
  try {
    return await write()
  } finally {
    for (const listener of listeners) writes.add(listener)
  }
}
