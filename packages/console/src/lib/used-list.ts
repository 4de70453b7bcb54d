import type { ThingUse, UsedKind } from '@switchroom/contract'

/** Lists that can be filtered by what their things belong to. That of carriers shows an account also shared ones. */
const LISTS: Partial<Record<ThingUse['of'], string>> = {
  application: '/internal/applications',
  client: '/internal/clients',
  ms_teams_tenant: '/internal/ms-teams-tenants',
  phone_number: '/internal/phone-numbers',
  speech_credential: '/internal/speech-services',
  user: '/internal/users',
}

/** The list of what uses a thing, where there is a list that can be filtered by it. */
export function usedListHref(kind: UsedKind, sid: string, of: ThingUse['of']) {
  const list = LISTS[of]
  const canFilter =
    kind === 'account' ||
    (of === 'phone_number' && (kind === 'application' || kind === 'voip_carrier'))
  return list && canFilter ? `${list}?${kind}_sid=${sid}` : undefined
}
