import { type Message, mailFrom, ServiceRefused } from './mail-message.ts'

/** A service that takes email over HTTP, from the platform's own variables. */
export type MailService =
  | { kind: 'mailgun'; url: string; domain: string; key: string; from: string }
  | {
      kind: 'webhook'
      url: string
      username: string | undefined
      password: string | undefined
      from: string
    }

const LIMIT_MS = 20_000

async function post(
  url: string,
  authorization: string | undefined,
  body: FormData | string,
  limit_ms = LIMIT_MS,
) {
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(limit_ms),
    headers: {
      ...(authorization && { authorization }),
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    },
    body,
  })
  await answer.body?.cancel()
  return answer.status
}

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

const isTaken = (status: number) => status >= 200 && status < 300

/** Sends one message. Throws `ServiceRefused`, network errors and time-outs. */
export async function sendThrough(service: MailService, message: Message) {
  const status =
    service.kind === 'mailgun'
      ? await postToMailgun(service, await encoded(service.from, message))
      : await post(
          service.url,
          service.username === undefined
            ? undefined
            : basic(service.username, service.password ?? ''),
          JSON.stringify({
            from: service.from,
            to: message.to,
            subject: message.subject,
            text: message.text,
          }),
        )
  if (!isTaken(status)) throw new ServiceRefused(status)
}

type Mailgun = Extract<MailService, { kind: 'mailgun' }>

/** https://documentation.mailgun.com, "Send an email in MIME format" */
const postToMailgun = ({ url, domain, key }: Mailgun, form: FormData, limit_ms?: number) =>
  post(`${url}/v3/${encodeURIComponent(domain)}/messages.mime`, basic('api', key), form, limit_ms)

/** A message with its markup, pictures and headers, which the parameters of Mailgun's other endpoint do not carry. */
async function encoded(from: string, message: Message) {
  const { createTransport } = await import('nodemailer')
  const { message: mime } = await createTransport({ streamTransport: true, buffer: true }).sendMail(
    mailFrom(from, message),
  )
  const form = new FormData()
  form.set('to', message.to)
  form.set('message', new Blob([Buffer.from(mime as Buffer)]), 'message.eml')
  return form
}

/** The status for a message without recipient, which Mailgun refuses with 400 once it knows key and domain. */
export const probeMailgun = (service: Mailgun, limit_ms: number) =>
  postToMailgun(service, new FormData(), limit_ms)
