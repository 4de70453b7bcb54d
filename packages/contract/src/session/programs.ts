import { z } from 'zod'
import { resource, Sid, Text } from '../wire/common.ts'
import { adds, endpoints, removes } from '../wire/endpoint.ts'
import { StringOrNull } from '../wire/fields.ts'
import { t } from '../wire/text.ts'
import { PROGRAM_ACCESS, PROGRAM_USES } from './program-access.ts'

/** True if a program may receive its code at this address: over TLS, or on a listener on the person's own machine. */
function isRedirectUri(text: string) {
  if (!URL.canParse(text) || text.includes('#')) return false
  const { protocol, hostname, username, password } = new URL(text)
  if (username || password) return false
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return protocol === (isLoopback ? 'http:' : 'https:')
}

export const RedirectUri = z
  .string()
  .max(500)
  .refine(isRedirectUri, {
    error: t('Enter an https:// address, or http:// with localhost, 127.0.0.1 or [::1]'),
  })
  .meta({ format: 'uri' })

/** A program that people may connect, such as an assistant: a public client of OAuth. */
export const Program = z.object({
  program_sid: z.string(),
  name: z.string(),
  redirect_uris: z.array(z.string()),
  /** True if the program registered itself, so that nobody vouches for its name. */
  is_self_registered: z.boolean(),
  /** ISO 8601. */
  created_at: z.string(),
})
export type Program = z.infer<typeof Program>

const NewProgram = z.object({
  name: Text(100),
  redirect_uris: z.array(RedirectUri).min(1).max(10),
})

/** A program's request for access, which the person sees before granting it. */
export const ProgramRequest = z.object({
  /** Name given by the program itself; only that of an administrator's program is vouched for. */
  name: z.string(),
  client_id: z.string(),
  is_verified: z.boolean(),
  /** Host of the website that the person returns to; null for a program on the person's own machine. */
  returns_to: StringOrNull,
  use: z.enum(PROGRAM_USES),
  /** The most that the program asked for. */
  access: z.enum(PROGRAM_ACCESS),
})
export type ProgramRequest = z.infer<typeof ProgramRequest>

const request = {
  path: '/ProgramRequests/:request_id',
  access: 'account',
  own: true,
  personOnly: true,
  allowViewOnly: true,
  browserCookie: 'read',
  params: z.object({ request_id: z.string().regex(/^[\w-]{1,64}$/) }),
} as const
const { one, all } = resource('/Programs', { program_sid: Sid })
const admin = { access: 'admin', own: true } as const

export const programs = endpoints({
  list: {
    ...all,
    ...admin,
    method: 'GET',
    summary: 'List the programs that people may connect, newest first',
    response: z.array(Program),
  },
  create: {
    ...all,
    ...admin,
    ...adds,
    summary: 'Add a program that people may connect',
    body: NewProgram,
  },
  remove: { ...one, ...admin, ...removes, summary: 'Delete a program, and end its connections' },
  request: {
    ...request,
    method: 'GET',
    summary: 'Get the access that a program asks for',
    response: ProgramRequest,
  },
  decide: {
    ...request,
    method: 'POST',
    summary: 'Let a program act for you, or refuse it',
    grantsAccess: true,
    body: z.object({ allow: z.enum(PROGRAM_ACCESS).nullable() }),
    /** Address where the browser goes next. */
    response: z.object({ url: z.string() }),
  },
})
