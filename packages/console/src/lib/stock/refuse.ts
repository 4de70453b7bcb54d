import {
  APPLICATION_NAME_TAKEN,
  ApiError,
  type ErrorCode,
  GENERIC_ERROR,
  IN_USE,
  NUMBER_TAKEN,
  SIP_REALM_TAKEN,
  TENANT_TAKEN,
  type ThingUse,
  t,
  translated,
  type Usage,
} from '@switchroom/contract'
import type { Endpoint } from '../endpoints'

const apiError = (status: number, code: ErrorCode, msg: string, more: object = {}) =>
  new ApiError(status, { code, msg, request_id: '', issues: [], ...more })

export const notOffered = (message = t('This server does not offer this.')) =>
  apiError(404, 'not_found', message)

type Row = Readonly<Record<string, unknown>>
/** The number of items a dialog shows. */
const SHOWN = 20

/** Usage of a resource by one kind of others. */
export const usage = (kind: string, rows: readonly Row[], sid: string, name: string): Usage => ({
  kind,
  total: rows.length,
  items: rows
    .slice(0, SHOWN)
    .map((row) => ({ sid: String(row[sid]), name: String(row[name] ?? row[sid]) })),
})

/** A use that keeps a resource from being deleted. */
export const using = (of: ThingUse['of'], used: Usage): ThingUse => ({ ...used, of, blocks: true })

/** Throws if the resource is in use: the server would delete half of it and then fail. */
export function refuseInUse(what: keyof typeof IN_USE, used: Usage[]) {
  const used_by = used.filter((u) => u.total > 0)
  if (used_by.length > 0) throw apiError(422, 'in_use', IN_USE[what], { used_by })
}

const CODES: Record<number, ErrorCode> = {
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  413: 'too_large',
  422: 'conflict',
  429: 'too_many',
}

const TAKEN: [path: RegExp, member: string, message: string][] = [
  [/^\/Accounts/, 'sip_realm', SIP_REALM_TAKEN],
  [/^\/Applications/, 'name', APPLICATION_NAME_TAKEN],
  [/^\/PhoneNumbers/, 'number', NUMBER_TAKEN],
  [/^\/MicrosoftTeamsTenants/, 'tenant_fqdn', TENANT_TAKEN],
  [/^\/ServiceProviders/, 'name', t('The name you have entered is already in use.')],
]

/** Messages of its database or JavaScript engine, which mean nothing to users. */
const INTERNAL =
  /foreign key|sql|column|cannot be null|data t(?:oo|runcated)|default value|cannot (?:read|convert)|is not a function|is not iterable/i

/** Converts an error response to the contract's: with a code and a readable message. */
export function toContractError(e: Endpoint, error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const { status, body } = error
  const code = CODES[status] ?? 'internal'
  if (/^duplicate entry/i.test(body.msg)) {
    const [, member, message] = TAKEN.find(([path]) => path.test(e.path)) ?? []
    return member && message
      ? apiError(422, 'conflict', message, { issues: [{ path: [member], message }] })
      : apiError(422, 'conflict', t('It is already in use.'))
  }
  // of a user that is not there
  if (status === 500 && /^failure retrieving/.test(body.msg))
    return apiError(404, 'not_found', t('Not found. It may have been deleted.'))
  if (status >= 500 && INTERNAL.test(body.msg))
    return apiError(
      status,
      'internal',
      t('The server could not complete the request and gave no reason.'),
    )
  if (translated(body.msg) !== GENERIC_ERROR) return apiError(status, code, body.msg)
  if (status === 403) return apiError(403, code, t('You do not have permission to do this.'))
  if (status === 404)
    return e.path.includes('/:')
      ? apiError(404, code, t('Not found. It may have been deleted.'))
      : notOffered()
  return apiError(status, code, body.msg)
}
