import { z } from 'zod'
import { Int, NoContent, resource, Sid, StoredSid } from '../wire/common.ts'
import { adds, endpoints, removes } from '../wire/endpoint.ts'
import { t } from '../wire/text.ts'

/** A carrier of a route. The platform uses the one with the lowest priority and ignores workloads. */
export const LcrCarrierSetEntry = z.object({
  lcr_carrier_set_entry_sid: z.string(),
  workload: z.number(),
  lcr_route_sid: z.string(),
  voip_carrier_sid: z.string(),
  priority: z.number(),
})
export type LcrCarrierSetEntry = z.infer<typeof LcrCarrierSetEntry>

const MAX_INT = 2_147_483_647

export const Workload = Int(0, MAX_INT)

const shape = {
  workload: Workload.optional(),
  priority: Int(0, MAX_INT).optional(),
}

/** A carrier within its route. Without a sid it is a new entry. */
export const lcrEntryIn = (missingCarrier: string) =>
  z.object({
    ...shape,
    lcr_carrier_set_entry_sid: StoredSid,
    voip_carrier_sid: z.guid(missingCarrier).transform((sid) => sid.toLowerCase()),
  })
export type LcrEntryIn = z.infer<ReturnType<typeof lcrEntryIn>>

export const LcrCarrierSetEntryCreate = z.object({
  ...shape,
  lcr_route_sid: Sid,
  voip_carrier_sid: Sid,
})

/** Omitted fields keep their stored values. */
export const LcrCarrierSetEntryUpdate = z.object({
  ...shape,
  lcr_route_sid: Sid.optional(),
  voip_carrier_sid: Sid.optional(),
})

const { one, all } = resource('/LcrCarrierSetEntries', { lcr_carrier_set_entry_sid: Sid })

export const lcrCarrierSetEntries = endpoints({
  list: {
    ...all,
    method: 'GET',
    summary: 'List carriers of an outbound route',
    query: z.object({ lcr_route_sid: Sid }),
    refusals: { lcr_route_sid: t('missing lcr_route_sid') },
    response: z.array(LcrCarrierSetEntry),
  },
  view: {
    ...one,
    method: 'GET',
    summary: 'Get a carrier of an outbound route',
    response: LcrCarrierSetEntry,
  },
  create: {
    ...all,
    ...adds,
    summary: 'Add a carrier to an outbound route',
    body: LcrCarrierSetEntryCreate,
    refusals: {
      lcr_route_sid: t('missing lcr_route_sid'),
      voip_carrier_sid: t('missing voip_carrier_sid'),
    },
  },
  update: {
    ...one,
    method: 'PUT',
    summary: 'Update a carrier of an outbound route',
    body: LcrCarrierSetEntryUpdate,
    status: 204,
    response: NoContent,
  },
  remove: { ...one, ...removes, summary: 'Remove a carrier from an outbound route' },
})
