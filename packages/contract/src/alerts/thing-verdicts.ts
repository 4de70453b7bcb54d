import { z } from 'zod'
import { sidsIn } from '../wire/common.ts'
import { endpoints } from '../wire/endpoint.ts'
import { t } from '../wire/text.ts'
import { HEALTH_MAX, StateOfThing } from './carrier-health.ts'

/** Kinds of things that have a state, other than carriers and gateways, whose state comes with their health. */
export const JUDGED_KINDS = ['account', 'application', 'phone_number', 'speech_credential'] as const
export type JudgedKind = (typeof JUDGED_KINDS)[number]

export const VerdictOfThing = StateOfThing.extend({ sid: z.string() })
export type VerdictOfThing = z.infer<typeof VerdictOfThing>

const sids = t('Enter 1 to {most} sids, separated by commas', { most: HEALTH_MAX })

export const thingVerdicts = endpoints({
  list: {
    path: '/Verdicts',
    access: 'account',
    method: 'GET',
    summary:
      'Get the state of accounts, applications, phone numbers or speech services: since when, why, and what would fix it. Unknown ones are left out',
    own: true,
    costs: 'figures',
    query: z.object({
      kind: z.enum(
        JUDGED_KINDS,
        t('Enter account, application, phone number or speech credential'),
      ),
      sids: sidsIn(HEALTH_MAX, sids),
    }),
    response: z.array(VerdictOfThing),
  },
})
