import { t } from '@switchroom/contract'
import { errorCode } from '../../../errors/members.ts'
import { type MailService, probeMailgun } from '../../../outbound/mail-services.ts'
import { sentenceOf } from '../../../parts/sentence.ts'
import { endpointsOf, expiryOf } from '../../system-health/checks/certificates.ts'
import type { Check } from '../check.ts'
import { type Finding, ok, problem, warning } from '../finding.ts'
import { isLoopback } from '../loopback.ts'
import type { Site } from '../site.ts'

const LIMIT_MS = 4_000

/** Checks that the mail server takes our messages. Sends none. */
export const mail: Check = {
  name: 'mail',
  needs: /^(?:SMTP|MAILGUN|CUSTOM_EMAIL)_/,
  async run(site) {
    const { smtp, mail_service, page, development } = site.config
    if (!smtp && mail_service) return serviceFindings(mail_service)
    if (!smtp) {
      if (development || !(page.ENABLE_FORGOT_PASSWORD || page.ENABLE_HOSTED_SYSTEM))
        return ok(t('Email is off: SMTP_URL is not set.'))
      return problem(
        t(
          'Password reset or sign-up by email is on, and SMTP_URL is not set: nobody gets a message.',
        ),
        t(
          'Set SMTP_URL and SMTP_FROM, or turn ENABLE_FORGOT_PASSWORD and ENABLE_HOSTED_SYSTEM off.',
        ),
      )
    }
    const [refused, clear] = await Promise.all([refusal(smtp.url), inClear(site, smtp.url)])
    if (refused) return refused
    const found = [...clear, ...fromFindings(smtp.from)]
    return found.length > 0 ? found : ok(t('The mail server answers and accepts the login.'))
  },
}

async function serviceFindings(service: MailService): Promise<Finding | Finding[]> {
  const { host, protocol, hostname } = new URL(service.url)
  const found = fromFindings(service.from)
  if (protocol === 'http:' && !isLoopback(hostname))
    found.push(
      warning(
        t('Emails cross the network to {host} in clear, links to reset passwords among them.', {
          host,
        }),
        t('Use an https:// address.'),
      ),
    )
  if (service.kind === 'webhook')
    return found.length > 0
      ? found
      : ok(t('Emails are posted to {host}, which only a message can prove.', { host }))
  const refused = await mailgunRefusal(service, host)
  if (refused) return refused
  return found.length > 0 ? found : ok(t('Mailgun accepts the key and the domain.'))
}

async function mailgunRefusal(
  service: Extract<MailService, { kind: 'mailgun' }>,
  host: string,
): Promise<Finding | undefined> {
  try {
    const status = await probeMailgun(service, LIMIT_MS)
    if (status === 400) return undefined
    if (status === 401 || status === 403)
      return problem(
        t('Mailgun does not accept the key in MAILGUN_API_KEY for {domain}.', service),
        t('Correct it. Domains in Europe need MAILGUN_URL=https://api.eu.mailgun.net as well.'),
      )
    if (status === 404)
      return problem(
        t('Mailgun does not know the domain {domain}.', service),
        t(
          'Correct MAILGUN_DOMAIN. Domains in Europe need MAILGUN_URL=https://api.eu.mailgun.net as well.',
        ),
      )
    return problem(
      t('The mail service {host} answered {status}.', { host, status }),
      t('Make sure that MAILGUN_URL is the address of Mailgun’s API, or try again later.'),
    )
  } catch (e) {
    return problem(
      t('The mail service {host} cannot be used: {sentence}.', {
        host,
        sentence: sentenceOf(e, LIMIT_MS),
      }),
      t('Make sure that MAILGUN_URL is right, and that no firewall blocks it.'),
    )
  }
}

async function refusal(url: string): Promise<Finding | undefined> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url,
    connectionTimeout: LIMIT_MS,
    greetingTimeout: LIMIT_MS,
    socketTimeout: LIMIT_MS,
  })
  const { host } = new URL(url)
  try {
    await transport.verify()
    return undefined
  } catch (e) {
    const sentence = sentenceOf(e, LIMIT_MS)
    if (errorCode(e) === 'EAUTH')
      return problem(
        t('The mail server {host} does not accept the username and password in SMTP_URL.', {
          host,
        }),
        t(
          'Correct them, with special characters escaped as in URLs (@ is %40). Some providers want an app password.',
        ),
      )
    if (/certificate/i.test(sentence) || errorCode(e) === 'ETLS')
      return problem(
        t('The mail server {host}: {sentence}.', { host, sentence }),
        t(
          'Use the host name that its certificate names, and the right scheme: smtps:// for port 465, smtp:// for 587 and 25.',
        ),
      )
    return problem(
      t('The mail server {host} cannot be used: {sentence}.', { host, sentence }),
      t(
        'Make sure that host and port in SMTP_URL are right, and that no firewall blocks outgoing mail. Many clouds block port 25.',
      ),
    )
  } finally {
    transport.close()
  }
}

/** Finds passwords and messages that cross the network unencrypted. */
async function inClear({ config }: Site, url: string): Promise<Finding[]> {
  const { protocol, hostname, host, username } = new URL(url)
  if (protocol === 'smtps:' || (!username && isLoopback(hostname))) return []
  const endpoint = endpointsOf(config).find(({ name }) => name === 'SMTP')!
  // undefined: it does not offer TLS
  const offered = await expiryOf(endpoint).catch(() => 'unknown')
  if (offered !== undefined) return []
  return [
    warning(
      username
        ? t(
            'The mail server {host} does not offer TLS: the password of SMTP_URL and links to reset passwords cross the network in clear.',
            { host },
          )
        : t(
            'The mail server {host} does not offer TLS: links to reset passwords cross the network in clear.',
            { host },
          ),
      t('Turn STARTTLS on at the mail server, or use its port with TLS: smtps:// and 465.'),
    ),
  ]
}

function fromFindings(from: string): Finding[] {
  const [, domain = ''] = /@([^\s>]+)>?\s*$/.exec(from) ?? []
  if (domain.includes('.') && !isLoopback(domain)) return []
  return [
    warning(
      t('SMTP_FROM is {from}: most mail servers refuse messages from this address.', { from }),
      t(
        'Set SMTP_FROM to an address of your own domain, such as Switchroom <no-reply@example.com>.',
      ),
    ),
  ]
}
