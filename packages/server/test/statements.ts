import type { Tracing } from '../src/tracing/tracing.ts'

/** Records the statements of a test server that is given its `tracing`. */
export function recordStatements() {
  const statements: string[] = []
  let rows = 0
  const tracing: Tracing = {
    follow: () => undefined,
    async statement(sql, run) {
      statements.push(sql)
      const result = await run()
      rows += (result as { rows?: unknown[] }).rows?.length ?? 0
      await recorded.after?.(sql)
      return result
    },
    close: async () => undefined,
  }
  const recorded = {
    tracing,
    /** Those that have begun since the latest `during`. */
    begun: statements as readonly string[],
    /** The rows that they have read. */
    rows: () => rows,
    /** Delays the result of a statement. */
    after: undefined as ((sql: string) => Promise<void>) | undefined,
    /** The statements that `work` runs. */
    async during(work: () => Promise<unknown>) {
      statements.length = 0
      rows = 0
      await work()
      return [...statements]
    },
  }
  return recorded
}
