import { z } from 'zod'
import { Integer } from './fields.ts'
import { flagError, sidError, whenMissing } from './plain-messages.ts'
import { t } from './text.ts'

/** Any UUID, since the platform's seed rows are not v4. */
export const Sid = z
  .guid({ error: sidError })
  .transform((sid) => sid.toLowerCase())
  .meta({ format: 'uuid' })

/** Sids in a query, separated by commas: at least one, each once. `message` says so to whoever sends something else. */
export const sidsIn = (most: number, message: string) =>
  z
    .string(message)
    .transform((text) => [...new Set(text.split(','))])
    .pipe(z.array(Sid).min(1, message).max(most, message))

/** The paths of a resource that accounts may access: all of them, and one by its sid. */
export const resource = <const P extends `/${string}`, const S extends Record<string, typeof Sid>>(
  path: P,
  sid: S,
) =>
  ({
    all: { path, access: 'account' },
    one: { path: `${path}/:${Object.keys(sid)[0]}`, params: z.object(sid), access: 'account' },
  }) as const

/** The platform's message for carriers and routing tables. */
export const UNKNOWN_ACCOUNT = t('unknown account_sid')

/** A reference to another resource. An empty choice of a form is null. */
export const sidOrNull = (wrong = t('Bad request')) =>
  z.union([z.literal(''), Sid, z.null()], wrong).transform((sid) => sid || null)
export const SidOrNull = sidOrNull()

/**
 * The sid of a stored row that is saved with its parent. New rows have none, which clients
 * of the platform write as empty text.
 */
export const StoredSid = z.union([z.literal('').transform(() => undefined), Sid]).optional()

/** Required text: trimmed and no longer than its column. */
export const Text = (max: number, missing?: string, tooLong?: string) =>
  z.string(whenMissing(missing)).trim().min(1, missing).max(max, tooLong)

/** Optional text; empty becomes null. */
export const TextOrNull = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .nullable()
    .transform((text) => text || null)

/** A secret is not trimmed: white space may be part of it. */
export const SecretOrNull = (max: number) =>
  z
    .string()
    .max(max)
    .nullable()
    .transform((text) => text || null)

/** A boolean as the database and older clients have it. */
export const Flag = z.union([z.literal(0), z.literal(1)])
export type Flag = z.infer<typeof Flag>
/** Also accepts booleans, and their text in form bodies. */
export const FlagIn = z
  .union([z.boolean(), Flag, z.enum(['0', '1', 'true', 'false'])], { error: flagError })
  .transform((v): Flag => (v === true || v === 1 || v === '1' || v === 'true' ? 1 : 0))

export const Int = (min: number, max: number) => z.coerce.number<number>().int().min(min).max(max)

const page = z.preprocess(
  // page=0 and page= mean the first page to clients of the platform
  (v) => (v === '' || v === '0' || v === 0 ? 1 : v),
  z.coerce.number<number>().int().min(1).max(10_000_000),
)

/**
 * A page of a list. Offset paging lets people jump to a page and share its URL.
 * Without `page` a list returns everything as a bare array.
 */
export const PageQuery = z.object({
  page: page.optional(),
  page_size: z.coerce.number<number>().int().min(1).max(10_000).default(50),
  /** Text within the name or number, not a pattern; a number in any notation; or a sid or its first group. */
  filter: z.string().trim().max(100).optional(),
  /** A column, with a minus in front for descending. */
  sort: z.string().max(64).optional(),
})
export type PageQuery = z.output<typeof PageQuery>

/** The query of a list: `sort` takes only the columns named here. */
export const listQuery = <const C extends readonly [string, ...string[]]>(...columns: C) =>
  PageQuery.extend({
    sort: z.enum(columns.flatMap((c) => [c, `-${c}`])).optional(),
  })

export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    total: Integer,
    page: Integer,
    page_size: Integer,
  })

/** The schemas of a list's page: of all its rows, and of one row. */
export function rowsOf(page: z.ZodType) {
  const all = page instanceof z.ZodObject ? page.shape.data : undefined
  if (all instanceof z.ZodArray && all.element instanceof z.ZodType)
    return { all, item: all.element }
  throw new TypeError('This is not the schema of a page')
}

export const PAGE_SIZES = [25, 50, 100] as const

/** The version that a single read shows. A stock server has none. */
export const versioned = { version: z.string().optional() }

export const Created = z.object({ sid: z.string() })
export const NoContent = z.undefined()

export const serviceProviderParams = z.object({ service_provider_sid: Sid })
export const accountParams = z.object({ account_sid: Sid })

/** An endpoint of what an account has. */
export const ofAccount = <const P extends `/${string}`>(path: P) =>
  ({ path: `/Accounts/:account_sid${path}`, params: accountParams, access: 'account' }) as const

/** An endpoint of what a service provider has. */
export const ofServiceProvider = <const P extends `/${string}`>(path: P) =>
  ({
    path: `/ServiceProviders/:service_provider_sid${path}`,
    params: serviceProviderParams,
    access: 'service_provider',
  }) as const
