import { t } from '@switchroom/contract'
import type { FastifyBaseLogger } from 'fastify'
import { errorCode } from '../errors/members.ts'
import type { Health } from '../parts/registry.ts'
import { sentenceOf } from '../parts/sentence.ts'
import type { Message } from './mail-message.ts'
import type { MailService } from './mail-services.ts'

export type { Message }

/** Sends one message. Throws on failure. */
export type Mail = (message: Message) => Promise<void>

type Smtp = { url: string; from: string }
type MailConfig = {
  smtp: Smtp | undefined
  /** Used without `smtp`. */
  mail_service: MailService | undefined
  development: boolean
}
type Reports = Pick<Health, 'report' | 'count' | 'watch'>

const VERIFY_MS = 5 * 60_000

/**
 * Email over SMTP, or through the service that the platform's variables name. Without either, messages are logged in
 * development, and otherwise undefined is returned: the console then says that email is off. Reports the health of the
 * mail server by the latest message, and for SMTP by logging in to it every few minutes.
 */
export function mailOf(
  { smtp, mail_service, development }: MailConfig,
  log: FastifyBaseLogger,
  health: Reports,
): Mail | undefined {
  if (smtp) return overSmtp(smtp, health)
  if (mail_service)
    return reported(health, async (message) =>
      (await import('./mail-services.ts')).sendThrough(mail_service, message),
    )
  if (!development) return undefined
  return async (message) => log.info({ mail: message }, 'mail not sent: SMTP_URL is not set')
}

function overSmtp({ url, from }: Smtp, health: Reports): Mail {
  let sent_at = Number.NEGATIVE_INFINITY
  const transport = async () =>
    (await import('nodemailer')).createTransport({
      url,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
    })
  health.watch({
    part: 'mail',
    every_ms: VERIFY_MS,
    least_ms: VERIFY_MS / 2,
    limit_ms: 15_000,
    async run() {
      // a sent message says more
      if (performance.now() - sent_at < VERIFY_MS) return undefined
      await (await transport()).verify()
      return { state: 'ok', sentence: t('The mail server answers and accepts the log-in') }
    },
  })
  return reported(health, async (message) => {
    await (await transport()).sendMail((await import('./mail-message.ts')).mailFrom(from, message))
    sent_at = performance.now()
  })
}

/** Reports after each message how the mail server is. */
const reported =
  (health: Reports, send: Mail): Mail =>
  async (message) => {
    try {
      await send(message)
    } catch (e) {
      health.count('mails_total', 'failed')
      // a refused recipient or text says nothing about the mail server
      if (!['EENVELOPE', 'EMESSAGE'].includes(errorCode(e) ?? ''))
        health.report(
          'mail',
          'failing',
          t('The latest message was not sent. {sentence}', { sentence: sentenceOf(e) }),
        )
      throw e
    }
    health.count('mails_total', 'sent')
    health.report('mail', 'ok', t('The latest message was accepted'))
  }
