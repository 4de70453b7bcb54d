import { query } from '../../lib/api'
import { phoneNumbers } from '../../lib/endpoints'
import { defined, paged, type Raw, text, type UsedSearch, usedSearch } from '../../lib/list-search'
import { loadList } from '../../lib/load'

/** `application_sid`, `voip_carrier_sid`: what the numbers belong to. */
export type Search = UsedSearch & { application_sid?: string; voip_carrier_sid?: string }

export const searchOf = (raw: Raw): Search => ({
  ...usedSearch(raw),
  ...defined({
    application_sid: text(raw.application_sid),
    voip_carrier_sid: text(raw.voip_carrier_sid),
  }),
})

export const listOf = (service_provider_sid: string, search: Search) =>
  query(phoneNumbers.list, { query: { service_provider_sid, ...paged(search) } })

export const load = (search: Search) => loadList(listOf, search)

export const viewOf = (phone_number_sid: string) =>
  query(phoneNumbers.view, { params: { phone_number_sid } })
