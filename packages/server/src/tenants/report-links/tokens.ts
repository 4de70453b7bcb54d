import { createHash, randomBytes } from 'node:crypto'
import { type ReportLink, t } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { networkOf } from '../../http/network.ts'
import type { Scope } from '../../http/scope.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** The columns that the tables of links have in common. */
export type LinkColumns = ReportLink & { token_digest: string }

/** 256 random bits, which need neither a slow hash nor a signature. */
export const newToken = () => randomBytes(32).toString('base64url')
const TOKEN = /^[\w-]{43}$/
export const isToken = (text: string) => TOKEN.test(text)
export const tokenDigest = (token: string) => createHash('sha256').update(token).digest('hex')

/** A new link, and its token, which is stored nowhere. */
export function newLink(
  { name, user_sid }: Pick<Scope, 'name' | 'user_sid'>,
  { label, days }: { label: string; days: number },
): { token: string; columns: LinkColumns } {
  const token = newToken()
  const now = Date.now()
  const columns = {
    token_digest: tokenDigest(token),
    label,
    made_by: name ?? user_sid ?? 'API key',
    created_at: new Date(now).toISOString(),
    ends_at: new Date(now + days * DAY_MS).toISOString(),
    last_opened_at: null,
    opens: 0,
  }
  return { token, columns }
}

/** A link as lists show it: without its digest. */
export const shownLink = (row: LinkColumns): ReportLink => ({
  label: row.label,
  made_by: row.made_by,
  created_at: row.created_at,
  ends_at: row.ends_at,
  last_opened_at: row.last_opened_at,
  opens: row.opens,
})

/** When a link was opened, if that is to be counted: who reloads a report opens it once. */
export function openedAt({ last_opened_at }: ReportLink): string | undefined {
  const now = Date.now()
  if (last_opened_at && Date.parse(last_opened_at) > now - MINUTE_MS) return undefined
  return new Date(now).toISOString()
}

/** Requests of a network, whatever their token. Staff behind one address open a report now and then. */
const PER_MINUTE = 60

/** Counts before anything is looked up, over all processes. Throws 429 above the limit. */
export async function countLinkRequest(
  { live }: Pick<Context, 'live'>,
  of: 'trunk_report_link' | 'customer_report_link',
  ip: string,
) {
  const now = Date.now()
  const minute = Math.floor(now / MINUTE_MS)
  const key = `switchroom:${of}:${networkOf(ip)}:${minute}`
  if ((await live.increment(key, MINUTE_MS / 1_000)) > PER_MINUTE)
    throw new Failure('too_many', t('Too many requests. Try again in a minute.'), {
      retry_after: Math.ceil(((minute + 1) * MINUTE_MS - now) / 1_000),
    })
}
