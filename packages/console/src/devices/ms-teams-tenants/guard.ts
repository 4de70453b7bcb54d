import { t } from '@switchroom/contract'
import { redirect } from '@tanstack/react-router'
import { atLeast } from '../../lib/access'
import { queryClient } from '../../lib/api'
import { likelyProvider, providers } from '../../lib/current-provider'
import { setNotice } from '../../lib/notice'
import { homeHref } from '../../lib/session'

/** The current provider, if it has a domain for Teams; others are sent to where it is set, and told so. */
export async function requireTeamsDomain() {
  const sid = await likelyProvider()
  const { data } = await queryClient.ensureQueryData(providers())
  const provider = data.find((p) => p.service_provider_sid === sid)
  if (!provider || provider.ms_teams_fqdn) return sid
  setNotice(
    t('{name} does not have a fully qualified domain name for MS Teams', { name: provider.name }),
  )
  const settings = '/internal/settings?tab=provider'
  throw redirect({ href: atLeast('service_provider') ? settings : homeHref(), replace: true })
}
