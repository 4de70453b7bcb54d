import { t } from '@switchroom/contract'
import { inNetworks } from '../../../outbound/guard.ts'
import type { Check } from '../check.ts'
import { ok, warning } from '../finding.ts'

/** Addresses that hardly anybody means to open to the users of the console. */
const RISKY = {
  '169.254.169.254': t('the cloud’s metadata service, which gives out credentials'),
  '127.0.0.1': t('services that listen on this machine only'),
  '::1': t('services that listen on this machine only'),
} as const

const BOTH = t(
  'the cloud’s metadata service, which gives out credentials, and services that listen on this machine only',
)

/** What the guard of outbound requests lets through. */
export const allowedNetworks: Check = {
  name: 'allowed_networks',
  needs: /^SWITCHROOM_ALLOW_NETWORKS$/,
  async run({ config: { allow_networks } }) {
    if (allow_networks.length === 0)
      return ok(t('Webhooks and buckets reach public addresses only.'))
    const open = Object.entries(RISKY).flatMap(([address, what]) =>
      inNetworks(address, allow_networks) ? [what] : [],
    )
    if (open.length === 0)
      return ok(t('Internal networks that may be reached: {allow_networks}.', { allow_networks }))
    return warning(
      t('SWITCHROOM_ALLOW_NETWORKS lets every user who can set a webhook reach {value}.', {
        value: open.length > 1 && open[0] !== open[1] ? BOTH : open[0],
      }),
      t('List only the networks with your webhooks and buckets, such as 10.1.2.0/24.'),
    )
  },
}
