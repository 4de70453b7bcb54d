import { t } from '@switchroom/contract'
import type { Check } from '../check.ts'
import { ok, warning } from '../finding.ts'
import { isLoopback } from '../loopback.ts'

/** Whether callers' addresses are told from the proxy's. */
export const proxy: Check = {
  name: 'proxy',
  needs: /^JAMBONZ_BASE_URL$|^JAMBONES_TRUST_PROXY$/,
  async run({ config: { base_url, trusted_proxies, host } }) {
    // this server does not speak TLS, so something in front of it does
    const hasProxy = base_url !== undefined && new URL(base_url).protocol === 'https:'
    if (hasProxy && trusted_proxies === 0)
      return warning(
        t(
          'JAMBONZ_BASE_URL is HTTPS, so a proxy is in front, and JAMBONES_TRUST_PROXY is 0: every request seems to come from the proxy. Lockouts and rate limits then hit all users together.',
        ),
        t('Set JAMBONES_TRUST_PROXY to the number of proxies in front, usually 1.'),
      )
    if (!hasProxy && trusted_proxies > 0 && !isLoopback(host))
      return warning(
        t(
          'JAMBONES_TRUST_PROXY is {trusted_proxies}, and this server can be reached without a proxy (HTTP_HOST {host}): whoever connects directly can choose the address they seem to come from.',
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
