import {
  accounts,
  applications,
  type PhoneNumber,
  type PhoneNumberItem,
  voipCarriers,
} from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { ownAccount } from '../lib/access'
import { query } from '../lib/api'

/** Our server says the names with the number; a stock API server only the sids. */
export type Named = PhoneNumber & Partial<PhoneNumberItem>

const all = { query: { page: 1, page_size: 1000, sort: 'name' } }

/** The names of what numbers belong to, for a list's cells. Looked up only where the rows do not say. */
export function useNames(service_provider_sid: string, rows: readonly Named[]) {
  const params = { service_provider_sid }
  const account = useQuery({
    ...query(accounts.ofServiceProvider, { params, ...all }),
    enabled: !ownAccount() && rows.some((n) => n.account_sid && n.account_name === undefined),
  }).data
  const application = useQuery({
    ...query(applications.ofServiceProvider, { params, ...all }),
    enabled: rows.some((n) => n.application_sid && n.application_name === undefined),
  }).data
  const carrier = useQuery({
    ...query(voipCarriers.ofServiceProvider, { params, ...all }),
    enabled: rows.some((n) => n.voip_carrier_sid && n.voip_carrier_name === undefined),
  }).data

  return useMemo(() => {
    const accountOf = new Map(account?.data.map((a) => [a.account_sid, a.name]))
    const applicationOf = new Map(application?.data.map((a) => [a.application_sid, a.name]))
    const carrierOf = new Map(carrier?.data.map((c) => [c.voip_carrier_sid, c.name]))
    const show = (
      said: string | null | undefined,
      sid: string | null,
      names: Map<string, string>,
      none: string,
    ): ReactNode => (sid ? (said ?? names.get(sid) ?? '') : <span className="none">{none}</span>)
    return {
      account: (n: Named) => show(n.account_name, n.account_sid, accountOf, 'Unassigned'),
      application: (n: Named) => show(n.application_name, n.application_sid, applicationOf, 'None'),
      carrier: (n: Named) => show(n.voip_carrier_name, n.voip_carrier_sid, carrierOf, 'None'),
    }
  }, [account, application, carrier])
}
