import { z } from 'zod'
import { flagError, sidError, whenMissing } from './plain-messages.ts'

/** Any UUID, not only v4: the platform's seed rows are of other versions. */
export const Sid = z
  .guid({ error: sidError })
  .transform((sid) => sid.toLowerCase())
  .meta({ format: 'uuid' })

/** As clients of the platform know it of carriers and routing tables. */
export const UNKNOWN_ACCOUNT = 'unknown account_sid'

/** A reference to another thing. An empty choice of a form is null. */
export const sidOrNull = (wrong = 'Bad request') =>
  z.union([z.literal(''), Sid, z.null()], wrong).transform((sid) => sid || null)
export const SidOrNull = sidOrNull()

/**
 * Of a row that is saved with its parent: the sid of one that is stored. A new one has none, which clients
 * of the platform write as empty text.
 */
export const StoredSid = z.union([z.literal('').transform(() => undefined), Sid]).optional()

/** Short text as people type it: trimmed, present, and no longer than its column. */
export const Text = (max: number, missing?: string, tooLong?: string) =>
  z.string(whenMissing(missing)).trim().min(1, missing).max(max, tooLong)

/** The same where nothing is a choice; nothing is stored as null. */
export const TextOrNull = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .nullable()
    .transform((text) => text || null)

/** A secret is taken as it is: white space may be part of it. */
export const SecretOrNull = (max: number) =>
  z
    .string()
    .max(max)
    .nullable()
    .transform((text) => text || null)

/** Sent in place of a secret that stays on the server. Sent back, it leaves the stored value as it is. */
export const MASK = '••••••••'

/** To whoever chooses a file that is no service key of Google's. */
export const SERVICE_KEY_INVALID = 'Invalid service key file, could not parse as JSON.'

/** Yes or no as the database and older clients spell it. */
export const Flag = z.union([z.literal(0), z.literal(1)])
export type Flag = z.infer<typeof Flag>
/** True and false are taken too, and the words a form body spells them with. */
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
 * A page of a list. Offset paging: people jump to a page and share its URL.
 * Without `page` a list answers everything as a bare array.
 */
export const PageQuery = z.object({
  page: page.optional(),
  page_size: z.coerce.number<number>().int().min(1).max(10_000).default(50),
  /** Text that the thing's name, or number, contains; never a pattern. */
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
    total: z.number().int(),
    page: z.number().int(),
    page_size: z.number().int(),
  })

export const PAGE_SIZES = [25, 50, 100] as const

/** Which version of a thing a single read shows. A stock server does not say. */
export const versioned = { version: z.string().optional() }

export const Created = z.object({ sid: z.string() })
export const Nothing = z.undefined()

export const serviceProviderParams = z.object({ service_provider_sid: Sid })
export const accountParams = z.object({ account_sid: Sid })

/** How a list's total reads at its foot. */
export const totalText = (n: number) => `Total: ${n} ${n === 1 ? 'record' : 'records'}`
