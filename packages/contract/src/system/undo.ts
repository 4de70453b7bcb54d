import { z } from 'zod'
import { AUDIT_ACTIONS, AUDIT_KINDS } from '../audit/audit-kinds.ts'
import { endpoints } from '../wire/endpoint.ts'
import { Integer } from '../wire/fields.ts'
import { keysOf } from '../wire/records.ts'
import { t } from '../wire/text.ts'

/** How long a change can be undone. The console offers it for ten seconds; the rest is for slow networks. */
export const UNDO_SECONDS = 60
/** The most entries of a change that can be undone. Those of larger ones reach the audit log after it. */
export const UNDO_MAX = 1_000

export const UNDO_EXPIRED = t('A change can be undone for one minute only.')
export const UNDO_CHANGED = t('This has changed since.')
export const UNDO_INEXACT = t('This change cannot be undone exactly.')
export const UNDO_NOT_YOURS = t('Only the user who made this change can undo it.')

const Position = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER)

export const undo = endpoints({
  change: {
    path: '/AuditLog/Undo',
    access: 'account',
    method: 'POST',
    personOnly: true,
    own: true,
    undoes: true,
    costs: 'changes',
    summary: 'Undo your own change of the last minute, named by the x-undo header of its response',
    body: z
      .object({ first: Position, last: Position })
      .refine(({ first, last }) => last >= first && last - first < UNDO_MAX, {
        path: ['last'],
        message: t('At most {UNDO_MAX} entries, from the first to the last', { UNDO_MAX }),
      }),
    response: z.object({
      /** The action that was undone. */
      action: z.enum(keysOf(AUDIT_ACTIONS)),
      kind: z.enum(keysOf(AUDIT_KINDS)),
      /** The name of the first thing, as it is again. */
      name: z.string(),
      /** Number of things. */
      count: Integer,
    }),
  },
})
