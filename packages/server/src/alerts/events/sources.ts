import type { Context } from '../../http/context.ts'
import { gatherCalls } from './calls.ts'
import { gatherChanges } from './changes.ts'
import type { Wish } from './demand.ts'
import { gatherIssues } from './inboxes.ts'
import { gatherNotes } from './notes.ts'
import { gatherRegistrations } from './registrations.ts'
import type { Lease } from './watch.ts'

type Source = (ctx: Context, lease: Lease, wanted: Wish[], now: number) => Promise<unknown>

/** Where events come from, in this order. */
export const SOURCES: readonly Source[] = [
  ({ db }, ...rest) => gatherChanges(db, ...rest),
  ({ db }, lease, _, now) => gatherNotes(db, lease, now),
  ({ db }, ...rest) => gatherRegistrations(db, ...rest),
  gatherCalls,
  gatherIssues,
]
