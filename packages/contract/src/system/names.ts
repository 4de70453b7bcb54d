import { z } from 'zod'
import { AUDIT_KINDS } from '../audit/audit-kinds.ts'
import { sidsIn } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { keysOf } from '../wire/records.ts'
import { t } from '../wire/text.ts'

export const ThingName = z.object({
  sid: z.string(),
  /** Kind of the thing, by the audit log's names. */
  kind: z.enum(keysOf(AUDIT_KINDS)),
  /** Name of the thing; its last one if it was deleted. */
  name: z.string(),
  is_deleted: z.boolean(),
})
export type ThingName = z.infer<typeof ThingName>

/** The most sids of one request. */
export const NAMES_MAX = 100

const sids = t('Enter 1 to {NAMES_MAX} sids, separated by commas', { NAMES_MAX })

export const names = endpoints({
  list: {
    path: '/Names',
    access: 'account',
    method: 'GET',
    summary: 'Name things by their sids, deleted ones included; unknown sids are left out',
    own: true,
    costs: 'searches',
    query: z.object({
      sids: sidsIn(NAMES_MAX, sids),
    }),
    response: z.array(ThingName),
  },
})
