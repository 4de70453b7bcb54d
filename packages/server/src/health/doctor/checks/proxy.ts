import { t } from '@switchroom/contract'
import type { Check } from '../check.ts'
import { ok, warning } from '../finding.ts'
import { isLoopback } from '../loopback.ts'

/** Checks that clients' addresses can be distinguished from the proxy's. */
export const proxy: Check = {
  name: 'proxy',
  needs: /^JAMBONZ_BASE_URL$|^JAMBONES_TRUST_PROXY$/,
  async run({ config: { base_url, trusted_proxies, host } }) {
    // this server does not speak TLS, so something in front of it does
    const hasProxy = base_url !== undefined && new URL(base_url).protocol === 'https:'
    if (hasProxy && trusted_proxies === 0)
      return warning(
        t(
          'JAMBONZ_BASE_URL is HTTPS, so there is a proxy, but JAMBONES_TRUST_PROXY is 0. All requests seem to come from the proxy, so lockouts and rate limits affect all users at once.',
        ),
        t('Set JAMBONES_TRUST_PROXY to the number of proxies in front, usually 1.'),
      )
    if (!hasProxy && trusted_proxies > 0 && !isLoopback(host))
      return warning(
        t(
          'JAMBONES_TRUST_PROXY is {trusted_proxies}, and this server can be reached without a proxy (HTTP_HOST {host}): a direct client can spoof its address.',
          { trusted_proxies, host },
        ),
        t(
          'Let only the proxy reach this port: set HTTP_HOST to 127.0.0.1 or close it in the firewall. Without a proxy, set JAMBONES_TRUST_PROXY to 0.',
        ),
      )
    return ok(
      trusted_proxies > 0
        ? t('Proxies in front: {trusted_proxies}.', { trusted_proxies })
        : t('No proxy is in front.'),
    )
  },
}
