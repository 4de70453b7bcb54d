import { setImmediate } from 'node:timers/promises'
import {
  CHANGED_BY_SPREADSHEET,
  type ImportProgress,
  type ImportVerdict,
  keysOf,
  MAX_SHOWN_PROBLEMS,
  plainError,
  type RowProblem,
  t,
} from '@switchroom/contract'
import type { z } from 'zod'
import { BATCH } from '../db/batches.ts'
import type { Db } from '../db/open.ts'
import { fromCell } from '../http/csv.ts'
import { refuseOverLimit, refuseOverQuota } from '../http/limits.ts'
import { Stopped } from '../http/progress.ts'
import { textIssues } from '../http/text.ts'
import type { File } from './file.ts'
import type { HandlerInput, ImportSpec, Row } from './spec.ts'

/** Checks all rows, with a verdict as if they were imported. Changes nothing. */
export async function checkAll<T, R extends object>(
  { ctx, scope }: HandlerInput,
  spec: ImportSpec<T, R>,
  { lines, problem }: File,
  { report, stopped }: { report: (progress: ImportProgress) => void; stopped: () => boolean },
): Promise<{ verdict: ImportVerdict; valid: Row<T>[]; ready: R[] }> {
  const rows = lines.length
  const problems = problemList()
  if (problem) problems.add(problem)
  else if (rows === 0) problems.add({ line: 1, message: t('This file has no rows') })
  const valid: Row<T>[] = []
  const ready: R[] = []
  async function resolve(batch: Row<T>[]) {
    const resolved = batch.length > 0 ? await spec.resolve(ctx.db, batch) : []
    resolved.forEach((r, i) => {
      if ('ready' in r) {
        valid.push(batch[i]!)
        ready.push(r.ready)
      } else problems.add({ line: batch[i]!.line, ...r })
    })
  }
  const grouped: { group: string; row: Row<T> }[] = []
  const badGroups = new Set<string>()
  for (let done = 0; done < rows; done += BATCH) {
    if (stopped()) throw new Stopped()
    const batch: Row<T>[] = []
    for (const { line, cells } of lines.slice(done, done + BATCH)) {
      const checked = check(cells, spec.row)
      const group = spec.groupOf?.(cells)
      if (!('row' in checked)) {
        problems.add({ line, ...checked })
        if (group !== undefined) badGroups.add(group)
      } else if (group === undefined) batch.push({ line, row: checked.row })
      else grouped.push({ group, row: { line, row: checked.row } })
    }
    await resolve(batch)
    report({ done: Math.min(done + BATCH, rows), rows })
    // lets other requests run
    await setImmediate()
  }
  // a group without a row would be invalid for that alone
  await resolve(grouped.flatMap(({ group, row }) => (badGroups.has(group) ? [] : [row])))
  const verdict = problems.verdict(rows)
  if (verdict.bad_rows === 0) await refuseTooMany(ctx.db, { ctx, scope }, spec, ready)
  return { verdict, valid, ready }
}

/** Throws when these rows would take an account over one of its limits, or its quota. */
export async function refuseTooMany<T, R extends object>(
  db: Db,
  { ctx, scope }: Pick<HandlerInput, 'ctx' | 'scope'>,
  { limited, quota }: ImportSpec<T, R>,
  rows: R[],
) {
  const added = limited?.(rows) ?? {}
  for (const what of keysOf(added)) await refuseOverLimit(ctx, db, scope, what, added[what])
  if (quota) await refuseOverQuota(ctx, db, quota.table, rows.map(quota.accountOf))
}

/** Does the slow part, row by row. */
export async function finishAll<T, R extends object>(
  { finish }: ImportSpec<T, R>,
  rows: R[],
  report: (progress: ImportProgress) => void,
  stopped: () => boolean,
) {
  if (!finish) return rows
  const finished: R[] = []
  for (const row of rows) {
    if (stopped()) throw new Stopped()
    finished.push(await finish(row))
    report({ done: finished.length, rows: rows.length })
  }
  return finished
}

/** Collects the problems of a file's rows; the first are shown. */
export function problemList() {
  const shown: RowProblem[] = []
  let bad_rows = 0
  return {
    add(problem: RowProblem) {
      bad_rows += 1
      if (shown.length < MAX_SHOWN_PROBLEMS) shown.push(problem)
    },
    isEmpty: () => bad_rows === 0,
    verdict: (rows: number): ImportVerdict => ({
      rows,
      added: bad_rows > 0 ? 0 : rows,
      problems: shown.sort((a, b) => a.line - b.line),
      bad_rows,
    }),
  }
}

/** A number of many digits as spreadsheets write it, with some digits lost: no name or password looks like that. */
const EXPONENT = /^\d(?:[.,]\d+)?E\+\d\d$/i

function check<T>(
  cells: Record<string, string>,
  schema: z.ZodType<T>,
): { row: T } | { column: string; message: string } {
  const values = Object.fromEntries(
    Object.entries(cells).flatMap(([column, cell]) => {
      const text = fromCell(cell)
      // an empty cell counts as omitted
      return text === '' ? [] : [[column, text]]
    }),
  )
  const [bad] = textIssues(values)
  if (bad) return { column: String(bad.path[0]), message: bad.message }
  const [changed] = Object.entries(values).find(([, text]) => EXPONENT.test(text)) ?? []
  if (changed) return { column: changed, message: CHANGED_BY_SPREADSHEET }
  const parsed = schema.safeParse(values, { error: plainError })
  if (parsed.success) return { row: parsed.data }
  const issue = parsed.error.issues[0]!
  return { column: String(issue.path[0] ?? ''), message: issue.message }
}
