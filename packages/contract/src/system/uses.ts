import { z } from 'zod'
import { AUDIT_KINDS } from '../audit/audit-kinds.ts'
import { Sid } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { Usage } from '../wire/error-body.ts'
import { keysOf } from '../wire/records.ts'
import { USED_KINDS } from './used-kinds.ts'

export const ThingUse = Usage.extend({
  /** Kind of the items, by the audit log's names. */
  of: z.enum(keysOf(AUDIT_KINDS)),
  /** True if these must be deleted or changed before the thing can be deleted. */
  blocks: z.boolean(),
})
export type ThingUse = z.infer<typeof ThingUse>

export const uses = endpoints({
  view: {
    path: '/Uses/:kind/:sid',
    params: z.object({ kind: z.enum(USED_KINDS), sid: Sid }),
    access: 'account',
    method: 'GET',
    own: true,
    summary: 'List what uses a service provider, account, application, carrier or speech service',
    response: z.array(ThingUse),
  },
})
