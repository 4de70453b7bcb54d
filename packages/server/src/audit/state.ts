import type { AuditEntry, AuditState } from '@switchroom/contract'

/** An addition or deletion has all fields; earlier entries no longer count. */
const isWhole = (e: AuditEntry) => e.action === 'create' || e.action === 'delete'

/**
 * State of a resource between two entries. A field has the value of the last entry that names it, else the former value
 * in the next entry that does. `until`: newest first. `after`: oldest first.
 */
export function stateBetween(
  until: AuditEntry[],
  after: AuditEntry[],
): Pick<AuditState, 'existed' | 'values' | 'complete'> {
  const changes = (entries: AuditEntry[]) =>
    entries.filter((e) => e.before !== null || e.after !== null)
  const [past, future] = [changes(until), changes(after)]
  const last = past[0]
  if (last?.action === 'delete') return { existed: false, values: {}, complete: true }
  if (!last && future[0]?.action === 'create') return { existed: false, values: {}, complete: true }

  const values: Record<string, unknown> = {}
  const add = (more: AuditEntry['before']) => {
    for (const [name, value] of Object.entries(more ?? {}))
      if (!Object.hasOwn(values, name)) values[name] = value
  }
  const begin = past.findIndex(isWhole)
  for (const entry of begin < 0 ? past : past.slice(0, begin + 1)) add(entry.after)
  const end = future.findIndex(isWhole)
  for (const entry of end < 0 ? future : future.slice(0, end + 1)) add(entry.before)
  return {
    existed: past.length + future.length > 0 ? true : null,
    values,
    complete: begin >= 0 || end >= 0,
  }
}
