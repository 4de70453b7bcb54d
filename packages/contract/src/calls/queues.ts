import { z } from 'zod'
import { ofAccount, pageOf } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { Integer } from '../wire/fields.ts'
import { t } from '../wire/text.ts'
import { LiveQuery, liveResponse } from './live-calls.ts'

/** A queue or a conference. */
export const QueueOrConference = z.object({
  kind: z.enum(['queue', 'conference']),
  account_sid: z.string(),
  account_name: z.string(),
  name: z.string(),
  /** Callers in the queue, or waiting for the conference to start. */
  length: Integer,
})
export type QueueOrConference = z.infer<typeof QueueOrConference>

/** A Redis glob pattern. Many stars slow down Redis for everyone. */
const Glob = z
  .string()
  .max(100)
  .refine((glob) => (glob.match(/\*+/g) ?? []).length <= 4, t('At most 4 wildcards'))

export const queues = endpoints({
  list: {
    path: '/LiveQueues',
    access: 'account',
    method: 'GET',
    summary: 'List current queues and conferences',
    query: LiveQuery,
    response: pageOf(QueueOrConference).extend(liveResponse).optional(),
    own: true,
  },
  ofAccount: {
    ...ofAccount('/Queues'),
    method: 'GET',
    summary: 'List queues of an account',
    query: z.object({ search: Glob.optional() }),
    response: z.array(z.object({ name: z.string(), length: Integer })),
  },
  conferencesOfAccount: {
    ...ofAccount('/Conferences'),
    method: 'GET',
    summary: 'List conference names of an account',
    response: z.array(z.string()),
  },
})
