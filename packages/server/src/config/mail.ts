import type { MailService } from '../outbound/mail-services.ts'
import type { Env } from './environment.ts'

const from = (env: Env, domain: string) => env.SMTP_FROM ?? `Switchroom <no-reply@${domain}>`

export const smtp = (env: Env) =>
  env.SMTP_URL ? { url: env.SMTP_URL, from: from(env, 'localhost') } : undefined

/** The service that takes email over HTTP, in the platform's order: first the operator's own. */
export function mailService(env: Env): MailService | undefined {
  if (env.CUSTOM_EMAIL_VENDOR_URL)
    return {
      kind: 'webhook',
      url: env.CUSTOM_EMAIL_VENDOR_URL,
      username: env.CUSTOM_EMAIL_VENDOR_USERNAME,
      password: env.CUSTOM_EMAIL_VENDOR_PASSWORD,
      from: from(env, 'localhost'),
    }
  if (env.MAILGUN_API_KEY && env.MAILGUN_DOMAIN)
    return {
      kind: 'mailgun',
      url: env.MAILGUN_URL.replace(/\/+$/, ''),
      domain: env.MAILGUN_DOMAIN,
      key: env.MAILGUN_API_KEY,
      from: from(env, env.MAILGUN_DOMAIN),
    }
  return undefined
}
