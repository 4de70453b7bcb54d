import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'

export type Message = { to: string; subject: string; text: string }
/** Sends one message, or throws. */
export type Mail = (message: Message) => Promise<void>

/**
 * Mail over SMTP. Without a server: in development the message goes to the log, elsewhere there is no
 * mail and the screens say so.
 */
export function mailOf(config: Config, log: FastifyBaseLogger): Mail | undefined {
  if (config.smtp) {
    const { url, from } = config.smtp
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
  if (!config.development) return undefined
  return async (message) => log.info({ mail: message }, 'mail, not sent: no SMTP_URL')
}
