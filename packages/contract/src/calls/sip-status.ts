import { t } from '../wire/text.ts'

/** The reason phrases of RFC 3261 and its extensions, for statuses that end a call. */
export const SIP_REASONS: Record<number, string> = {
  200: 'OK',
  300: t('Multiple Choices'),
  301: t('Moved Permanently'),
  302: t('Moved Temporarily'),
  305: t('Use Proxy'),
  380: t('Alternative Service'),
  400: t('Bad Request'),
  401: t('Unauthorized'),
  402: t('Payment Required'),
  403: t('Forbidden'),
  404: t('Not Found'),
  405: t('Method Not Allowed'),
  406: t('Not Acceptable'),
  407: t('Proxy Authentication Required'),
  408: t('Request Timeout'),
  410: t('Gone'),
  413: t('Request Entity Too Large'),
  414: t('Request-URI Too Long'),
  415: t('Unsupported Media Type'),
  416: t('Unsupported URI Scheme'),
  420: t('Bad Extension'),
  421: t('Extension Required'),
  422: t('Session Interval Too Small'),
  423: t('Interval Too Brief'),
  428: t('Use Identity Header'),
  433: t('Anonymity Disallowed'),
  436: t('Bad Identity Info'),
  437: t('Unsupported Credential'),
  438: t('Invalid Identity Header'),
  480: t('Temporarily Unavailable'),
  481: t('Call/Transaction Does Not Exist'),
  482: t('Loop Detected'),
  483: t('Too Many Hops'),
  484: t('Address Incomplete'),
  485: t('Ambiguous'),
  486: t('Busy Here'),
  487: t('Request Terminated'),
  488: t('Not Acceptable Here'),
  491: t('Request Pending'),
  493: t('Undecipherable'),
  500: t('Server Internal Error'),
  501: t('Not Implemented'),
  502: t('Bad Gateway'),
  503: t('Service Unavailable'),
  504: t('Server Time-out'),
  505: t('Version Not Supported'),
  513: t('Message Too Large'),
  580: t('Precondition Failure'),
  600: t('Busy Everywhere'),
  603: t('Decline'),
  604: t('Does Not Exist Anywhere'),
  606: t('Not Acceptable'),
  607: t('Unwanted'),
  608: t('Rejected'),
}

/** `486 Busy Here`; a status without a standard reason is its number alone. */
export const sipStatusText = (status: number) =>
  SIP_REASONS[status] ? `${status} ${SIP_REASONS[status]}` : String(status)

/** The statuses of calls that were not answered. */
export const FAILURE_STATUSES = Object.keys(SIP_REASONS)
  .map(Number)
  .filter((status) => status >= 300)
