import { t } from '@switchroom/contract'
import { errorCode, errorMessage, errorText } from '../errors/members.ts'

/** What common errors mean. Libraries word them differently, and quote what they were given. */
const CODES: [RegExp, string][] = [
  [/^ECONNREFUSED$/, t('The connection is refused: nothing listens there')],
  [/^(?:ENOTFOUND|EAI_\w+)$/, t('The host name cannot be resolved')],
  [/^(?:EHOSTUNREACH|ENETUNREACH|EHOSTDOWN)$/, t('The host cannot be reached')],
  [
    /^(?:ETIMEDOUT|ESOCKETTIMEDOUT|UND_ERR_\w*TIMEOUT|PROTOCOL_SEQUENCE_TIMEOUT)$/,
    t('There is no answer'),
  ],
  [/^(?:ECONNRESET|EPIPE|PROTOCOL_CONNECTION_LOST|UND_ERR_SOCKET)$/, t('The connection was lost')],
  [/^(?:EAUTH|ER_ACCESS_DENIED_ERROR|WRONGPASS|NOAUTH)$/, t('The credentials are not accepted')],
  [/^(?:CERT_HAS_EXPIRED)$/, t('The certificate has expired')],
  [/CERT|TLS|SSL|ALTNAME|SELF_SIGNED/, t('The certificate is not trusted')],
  [/^(?:ENOSPC|ERR_SQLITE_FULL)$/, t('The disk is full')],
  [/^(?:EACCES|EPERM|EROFS)$/, t('This user may not read or write it')],
]

/** Of libraries that put a code of their own in place of the one of TLS. */
const MESSAGES: [RegExp, string][] = [
  [/^certificate has expired/, t('The certificate has expired')],
  [
    /^self-signed certificate|^unable to (?:verify|get) .*certificate|does not match certificate/,
    t('The certificate is not trusted'),
  ],
]

/** An error in words, for administrators: no URL, no input, no secret. */
export function sentenceOf(error: unknown, limit_ms?: number): string {
  let deepest: unknown = error
  for (let e = error; e instanceof Error; e = e.cause) {
    deepest = e
    // some libraries keep the system's code only in their message
    const codes = [errorCode(e) ?? '', ...(errorMessage(e).match(/\bE[A-Z]{4,}\b/g) ?? [])]
    const message = errorMessage(e)
    const known =
      CODES.find(([pattern]) => codes.some((code) => pattern.test(code))) ??
      MESSAGES.find(([pattern]) => pattern.test(message))
    if (known) return known[1]
  }
  const name = errorText(error, 'name')
  if (name === 'TimeoutError' || name === 'AbortError')
    return limit_ms
      ? t('No answer within {limit_ms} seconds', { limit_ms: limit_ms / 1_000 })
      : t('There is no answer')
  const code = errorCode(deepest)
  const message = withoutCredentials(errorMessage(name === 'StateUnreachable' ? deepest : error))
  return code && !message.includes(code) ? `${message} (${code})` : message
}

/** Removes what libraries quote of a URL beside its host: credentials, path and query. */
export const withoutCredentials = (sentence: string) =>
  sentence.replace(/(\b[a-z][a-z0-9+.-]*:\/\/)(?:\S*@)?([^\s/?#'"`,;)]*)[^\s'"`,;)]*/gi, '$1$2')
