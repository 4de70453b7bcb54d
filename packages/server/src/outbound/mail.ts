import { t } from '@switchroom/contract'
import type { FastifyBaseLogger } from 'fastify'
import { errorCode } from '../errors/members.ts'
import type { Health } from '../parts/registry.ts'
import { sentenceOf } from '../parts/sentence.ts'
import type { Message } from './smtp-message.ts'

export type { Message }

/** Sends one message. Throws on failure. */
export type Mail = (message: Message) => Promise<void>

type MailConfig = { smtp: { url: string; from: string } | undefined; development: boolean }

const VERIFY_MS = 5 * 60_000

/**
 * Email over SMTP. Without `SMTP_URL`, messages are logged in development, and otherwise undefined is returned:
 * the console then says that email is off. Reports the health of the mail server: by the latest message, and
 * by logging in to it every few minutes.
 */
export function mailOf(
  { smtp, development }: MailConfig,
  log: FastifyBaseLogger,
  health: Pick<Health, 'report' | 'count' | 'watch'>,
): Mail | undefined {
  if (smtp) {
    const { url, from } = smtp
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
    return async (message) => {
      try {
        await (await transport()).sendMail(
          (await import('./smtp-message.ts')).mailFrom(from, message),
        )
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
      sent_at = performance.now()
      health.count('mails_total', 'sent')
      health.report('mail', 'ok', t('The latest message was accepted'))
    }
  }
  if (!development) return undefined
  return async (message) => log.info({ mail: message }, 'mail not sent: SMTP_URL is not set')
}
