import type { Trust } from '../packages/server/test/trust.ts'

/** A test in the report of its runner. */
export type ReportedTest = {
  status: string
  /** In milliseconds. */
  duration?: number
  meta?: { trust?: Trust[] }
}

/** Report of a mutation run. */
export type BreaksReport = { tried: number; caught: number; problems: string[] }

type Row = {
  part: string
  database: string
  tried: number
  found: Record<string, number>
  failures: number
  seconds: number
}

/** The table at the end of `npm run trust`: a row for each part and database, added up over the tests that report it. */
export class TrustTable {
  #rows = new Map<string, Row>()

  /** `database` is that of tests that do not name one. */
  add(database: string, tests: ReportedTest[]) {
    for (const { status, duration = 0, meta } of tests)
      for (const [i, trust] of (meta?.trust ?? []).entries()) {
        const row = this.#row(trust.part, trust.database ?? database)
        row.tried += trust.tried
        for (const [what, count] of Object.entries(trust.found ?? {}))
          row.found[what] = (row.found[what] ?? 0) + count
        // a test that reports more than once counts once
        if (i > 0) continue
        if (status === 'failed') row.failures++
        row.seconds += duration / 1000
      }
  }

  addBreaks(part: string, { tried, caught, problems }: BreaksReport, seconds: number) {
    const row = this.#row(part, 'SQLite')
    row.tried += tried
    row.found.caught = (row.found.caught ?? 0) + caught
    row.failures += problems.length
    row.seconds += seconds
  }

  #row(part: string, database: string) {
    const key = `${part}\t${database}`
    const row = this.#rows.get(key) ?? {
      part,
      database,
      tried: 0,
      found: {},
      failures: 0,
      seconds: 0,
    }
    this.#rows.set(key, row)
    return row
  }

  text() {
    const head = ['part', 'database', 'tried', 'found', 'failures', 'seconds']
    const body = [...this.#rows.values()]
      .sort((a, b) => a.part.localeCompare(b.part) || a.database.localeCompare(b.database))
      .map(({ part, database, tried, found, failures, seconds }) => [
        part,
        database,
        number(tried),
        Object.entries(found)
          .map(([what, count]) => `${number(count)} ${what}`)
          .join(', '),
        number(failures),
        number(Math.round(seconds)),
      ])
    const widths = head.map((_, i) => Math.max(...[head, ...body].map((row) => row[i]!.length)))
    const line = (cells: string[]) =>
      cells
        .map((cell, i) => (i === 2 || i > 3 ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
        .join('  ')
        .trimEnd()
    return [head, widths.map((w) => '-'.repeat(w)), ...body].map(line).join('\n')
  }
}

const number = (n: number) => n.toLocaleString('en')
