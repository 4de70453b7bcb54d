import { DEFAULT_ROUTE } from '@switchroom/contract'
import type { ReplayDraft } from '../../carriers/replay/draft'
import type { LcrValues } from './values'

function compiles(regex: string) {
  try {
    return !!new RegExp(regex)
  } catch {
    return false
  }
}

/** The form's table for a replay; undefined while a route is unfinished. A new table has an owner in place of its sid. */
export function replayDraft(
  { routes, default_carrier }: LcrValues,
  { lcr_sid, ...owner }: { lcr_sid?: string; account_sid?: string; service_provider_sid?: string },
): ReplayDraft | undefined {
  const complete = routes.every(
    (r) =>
      r.regex.trim() !== '' &&
      compiles(r.regex.trim()) &&
      r.lcr_carrier_set_entries.length > 0 &&
      r.lcr_carrier_set_entries.every((e) => e.voip_carrier_sid),
  )
  if (!complete || (!default_carrier && routes.length > 0)) return undefined
  return {
    ...owner,
    lcr: {
      ...(lcr_sid && { lcr_sid }),
      routes: [
        ...routes.map((r, priority) => ({
          regex: r.regex.trim(),
          priority,
          lcr_carrier_set_entries: r.lcr_carrier_set_entries.map((e, place) => ({
            voip_carrier_sid: e.voip_carrier_sid,
            priority: place,
          })),
        })),
        ...(default_carrier
          ? [{ ...DEFAULT_ROUTE, lcr_carrier_set_entries: [{ voip_carrier_sid: default_carrier }] }]
          : []),
      ],
    },
  }
}
