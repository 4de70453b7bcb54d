import { t } from '@switchroom/contract'
import { sentenceOf } from '../../../parts/sentence.ts'
import { askCapabilities } from '../ask-capabilities.ts'
import type { Check } from '../check.ts'
import { type Finding, notChecked, ok, problem, warning } from '../finding.ts'
import { isLoopback } from '../loopback.ts'
import type { Site } from '../site.ts'

const LIMIT_MS = 5_000

/** Checks that the public address leads to this server. */
export const baseUrl: Check = {
  name: 'base_url',
  needs: /^JAMBONZ_BASE_URL$|^API_BASE_URL$/,
  async run(site) {
    const { config, environment } = site
    const api = config.page.API_BASE_URL
    if (api) return apiFinding(api)
    // the server itself sets it to where it listens
    const url = config.base_url
    if (!url || !environment.JAMBONZ_BASE_URL)
      return (config.smtp ?? config.mail_service)
        ? warning(
            t(
              'Emails are sent, and JAMBONZ_BASE_URL is not set: links in them lead to the address this server listens at.',
            ),
            t(
              'Set JAMBONZ_BASE_URL to the address that people open, such as https://console.example.com.',
            ),
          )
        : ok(t('JAMBONZ_BASE_URL is not set: people use the address this server listens at.'))
    return [...insecure(url), await reached(url, site)]
  },
}

function insecure(url: string): Finding[] {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:' || isLoopback(hostname)) return []
  return [
    warning(
      t(
        'JAMBONZ_BASE_URL {url} is not HTTPS: passwords and sessions cross the network in clear, and passkeys do not work.',
        { url },
      ),
      t(
        'Put a reverse proxy with a certificate in front, and set JAMBONZ_BASE_URL to its https:// address.',
      ),
    ),
  ]
}

async function reached(url: string, { isServer, config }: Site): Promise<Finding> {
  try {
    const { status, isSwitchroom } = await askCapabilities(url, LIMIT_MS)
    if (isSwitchroom) return ok(t('{url} leads to Switchroom.', { url }))
    if (status >= 502 && status <= 504)
      return isServer
        ? problem(
            t('The proxy at {url} answers {status}: it does not reach this server.', {
              url,
              status,
            }),
            t(
              'Let it forward to the address this server listens at (HTTP_HOST, HTTP_PORT: {host}:{port}).',
              { host: config.host, port: config.port },
            ),
          )
        : notChecked(
            t('The proxy at {url} answers {status}. That is right while the server is down.', {
              url,
              status,
            }),
          )
    return problem(
      t(
        'JAMBONZ_BASE_URL {url} leads to something other than Switchroom, which answers {status}.',
        { url, status },
      ),
      t(
        'Set it to the address that people open in the browser, without a path, or correct the proxy there.',
      ),
    )
  } catch (e) {
    const sentence = sentenceOf(e, LIMIT_MS)
    if (/certificate|resolved/.test(sentence))
      return problem(
        t('JAMBONZ_BASE_URL {url} cannot be used: {sentence}.', { url, sentence }),
        /certificate/.test(sentence)
          ? t(
              'Renew the certificate there. It must name this host and come with its intermediate certificates.',
            )
          : t('Create a DNS record for this host name, or correct JAMBONZ_BASE_URL.'),
      )
    return warning(
      t('JAMBONZ_BASE_URL {url} cannot be reached from this machine: {sentence}.', {
        url,
        sentence,
      }),
      t(
        'If the server is running and your browser cannot open it either, correct the variable or the proxy. Some networks do not let a machine reach its own public address.',
      ),
    )
  }
}

async function apiFinding(api: string): Promise<Finding> {
  try {
    // any answer will do: it may be a stock server
    const answer = await fetch(`${api}/users/me`, { signal: AbortSignal.timeout(LIMIT_MS) })
    await answer.body?.cancel()
    if (answer.status === 404 || answer.status >= 500)
      return problem(
        t('No API answers at API_BASE_URL {api} (status {status}).', {
          api,
          status: answer.status,
        }),
        t('Set it to the API server’s base address, such as https://api.example.com/v1.'),
      )
    return ok(t('An API server answers at {api}.', { api }))
  } catch (e) {
    return problem(
      t('The API server at API_BASE_URL {api} cannot be reached: {sentence}.', {
        api,
        sentence: sentenceOf(e, LIMIT_MS),
      }),
      t('Start that server, or correct API_BASE_URL. Remove it to use this server’s own API.'),
    )
  }
}
