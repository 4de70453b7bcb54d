import { z } from 'zod'
import { ScimError } from './errors.ts'

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** Entra ID sends booleans as text. */
const Bool = z.preprocess(
  (v) => (typeof v === 'string' ? ({ true: true, false: false }[v.toLowerCase()] ?? v) : v),
  z.boolean(),
)
const Text = z.string().max(255)

/** A value of a list, as text or with a type. */
const Value = z.preprocess(
  (v) => (typeof v === 'string' ? { value: v } : v),
  z.looseObject({ value: Text.optional(), type: Text.nullish(), primary: Bool.optional() }),
)

/** A user as directories send it. Attributes without a meaning here are kept and returned. */
export const ScimUser = z.looseObject({
  userName: z.string().trim().min(1).max(255),
  externalId: Text.nullish(),
  active: Bool.default(true),
  displayName: Text.nullish(),
  name: z.looseObject({}).nullish(),
  emails: z.array(Value).max(20).default([]),
  groups: z.array(Value).max(1_000).optional(),
  roles: z.array(Value).max(100).optional(),
})
export type ScimUser = z.infer<typeof ScimUser>

/** The JSON of attributes that the platform's table lacks must fit into its column. */
const MAX_DETAILS = 32_000

/** Not kept: stored elsewhere, made by us, or secret. */
const NOT_KEPT = ['schemas', 'id', 'meta', 'userName', 'externalId', 'active', 'password']

/** The address of a user: the primary one, or the one of type `work`, or the first. */
export function emailOf({ emails, userName }: ScimUser): string {
  const email = emails.find((e) => e.primary) ?? emails.find((e) => e.type === 'work') ?? emails[0]
  const address = z
    .email()
    .max(255)
    .safeParse(email?.value ?? userName)
  if (!address.success)
    throw new ScimError(400, 'Every user needs an email address in emails', 'invalidValue')
  return address.data.toLowerCase()
}

/** The attributes to keep as JSON. */
export function detailsOf(user: ScimUser): string {
  const details = JSON.stringify(
    Object.fromEntries(Object.entries(user).filter(([key]) => !NOT_KEPT.includes(key))),
  )
  if (details.length > MAX_DETAILS)
    throw new ScimError(400, 'The attributes of this user are too long', 'invalidValue')
  return details
}

/** Reads a user from the body of a request, or from stored attributes with changes. */
export function readUser(body: unknown): ScimUser {
  const parsed = ScimUser.safeParse(body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const at = issue?.path.join('.')
  throw new ScimError(400, at ? `${at} is missing or not valid` : 'Send a user', 'invalidValue')
}

/** The claims that access rules compare: lists as their values, the extension's attributes beside the rest. */
export function claimsOf(user: ScimUser): Record<string, unknown> {
  const { [ENTERPRISE]: enterprise, emails: _, ...rest } = user
  const values = (list: ScimUser['groups']) =>
    list?.flatMap((one) => [one.value, 'display' in one ? one.display : undefined]).filter(Boolean)
  return {
    ...rest,
    ...(typeof enterprise === 'object' && enterprise),
    email: emailOf(user),
    groups: values(user.groups),
    roles: values(user.roles),
  }
}

type Stored = {
  user_sid: string
  name: string
  email: string
  is_active: number
  external_id: string | null
  details: string
  created_at: number
  changed_at: number
}

const Details = z.looseObject({
  emails: z.array(z.looseObject({ value: z.string().optional() })).optional(),
})

/** A user as the directory reads it. */
export function resourceOf(row: Stored, base: string) {
  const { emails, ...details } = Details.parse(JSON.parse(row.details))
  return {
    ...details,
    schemas: ENTERPRISE in details ? [USER, ENTERPRISE] : [USER],
    id: row.user_sid,
    userName: row.name,
    ...(row.external_id !== null && { externalId: row.external_id }),
    active: row.is_active === 1,
    // an address that was changed here is the current one
    emails: emails?.some((e) => e.value?.toLowerCase() === row.email.toLowerCase())
      ? emails
      : [{ value: row.email, type: 'work', primary: true }],
    meta: {
      resourceType: 'User',
      created: new Date(Number(row.created_at)).toISOString(),
      lastModified: new Date(Number(row.changed_at)).toISOString(),
      location: `${base}/Users/${row.user_sid}`,
    },
  }
}
