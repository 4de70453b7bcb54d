import type { FastifyBaseLogger } from 'fastify'

export type Message = { to: string; subject: string; text: string }
/** Sends one message. Throws on failure. */
export type Mail = (message: Message) => Promise<void>

type MailConfig = { smtp: { url: string; from: string } | undefined; development: boolean }

/**
 * Email over SMTP. Without `SMTP_URL`, messages are logged in development, and otherwise undefined is returned:
 * the console then says that email is off.
 */
export function mailOf(
  { smtp, development }: MailConfig,
  log: FastifyBaseLogger,
): Mail | undefined {
  if (smtp) {
    const { url, from } = smtp
    return async (message) => {
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({
        url,
        connectionTimeout: 10_000,
        greetingTimeout: 10_000,
        socketTimeout: 20_000,
      })
      await transport.sendMail({ from, ...message })
    }
  }
  if (!development) return undefined
  return async (message) => log.info({ mail: message }, 'mail not sent: SMTP_URL is not set')
}
