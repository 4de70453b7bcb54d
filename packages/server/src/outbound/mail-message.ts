import { t } from '@switchroom/contract'
import { errorNumber } from '../errors/members.ts'

export type Message = {
  to: string
  subject: string
  text: string
  /** The same with markup. */
  html?: string
  /** In place of the name in `SMTP_FROM`. */
  from_name?: string | undefined
  /** The part of the message's id before the @: mail servers and programs know a repeated one. */
  id?: string
  /** Link by which the recipient stops such mails. */
  unsubscribe?: string | undefined
  /** Shown in the markup as `cid:` and their name. */
  pictures?: { cid: string; content: Buffer; contentType: string }[]
}

const addressIn = (from: string) => /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from

/** A message as nodemailer takes it. */
export function mailFrom(
  from: string,
  { from_name, id, unsubscribe, pictures, ...message }: Message,
) {
  const address = addressIn(from)
  return {
    from: from_name ? { name: from_name, address } : from,
    ...message,
    ...(id && { messageId: `<${id}@${address.split('@').at(-1)}>` }),
    ...(unsubscribe && { list: { unsubscribe } }),
    ...(pictures && { attachments: pictures }),
  }
}

/** Thrown when the service answers with a status that is no success. */
export class ServiceRefused extends Error {
  override name = 'ServiceRefused'
  /** A retry would fail the same way: the message is refused, not its sender. */
  readonly lasting: boolean
  /** nodemailer's code for such a message. */
  readonly code: 'EMESSAGE' | undefined
  constructor(status: number) {
    super(t('The mail service answered {status}', { status }))
    this.lasting = [400, 413, 422].includes(status)
    this.code = this.lasting ? 'EMESSAGE' : undefined
  }
}

/** Why a message was not sent. `lasting`: a retry would fail the same way. */
export function mailProblem(error: unknown): { sentence: string; lasting: boolean } {
  if (error instanceof ServiceRefused) return { sentence: error.message, lasting: error.lasting }
  const code = errorNumber(error, 'responseCode') ?? 0
  return code
    ? { sentence: t('The mail server answered {code}', { code }), lasting: code >= 550 }
    : { sentence: t('The mail server cannot be reached'), lasting: false }
}
