import { z } from 'zod'
import { NoContent, Sid } from '../wire/common.ts'
import { endpoints, removes } from '../wire/endpoint.ts'
import { StringOrNull } from '../wire/fields.ts'
import { PROGRAM_ACCESS, PROGRAM_USES } from './program-access.ts'

/**
 * Way in which a session began. `platform_server`: at a stock API server beside this one. `program`: the person
 * connected it.
 */
export const SESSION_METHODS = [
  'password',
  'passkey',
  'single_sign_on',
  'github',
  'google',
  'reset_link',
  'registration',
  'platform_server',
  'program',
] as const
export type SessionMethod = (typeof SESSION_METHODS)[number]

export const Session = z.object({
  session_sid: z.string(),
  method: z.enum(SESSION_METHODS),
  /** ISO 8601, UTC, like `last_seen_at`. */
  began_at: z.string(),
  last_seen_at: z.string(),
  /** Address where the session began. `last_ip` is where it was last seen from. */
  ip: z.string(),
  last_ip: z.string(),
  /** Browser and system as the browser reports them: `Firefox`, `Windows`. */
  browser: StringOrNull,
  /** A client that is no browser: `curl 8.14.1`. */
  client: StringOrNull,
  system: StringOrNull,
  /** The program that the person connected, if the session is no log-in. */
  program: z
    .object({ name: z.string(), use: z.enum(PROGRAM_USES), access: z.enum(PROGRAM_ACCESS) })
    .nullable(),
  /** True if this is the session of the request. */
  is_current: z.boolean(),
})
export type Session = z.infer<typeof Session>

/** The newest of a user; more are not listed. */
export const MAX_LISTED_SESSIONS = 100

const session_sid = z.string().min(1).max(36)
const own = {
  path: '/Users/me/Sessions',
  access: 'account',
  own: true,
  personOnly: true,
} as const
const ends = { allowViewOnly: true, whileUnpaid: true, status: 204, response: NoContent } as const
const ofUser = {
  path: '/Users/:user_sid/Sessions',
  access: 'account',
  own: true,
  params: z.object({ user_sid: Sid }),
} as const

export const sessions = endpoints({
  list: {
    ...own,
    method: 'GET',
    summary: 'List your own open sessions, newest first',
    response: z.array(Session),
  },
  end: {
    ...own,
    ...ends,
    method: 'DELETE',
    path: '/Users/me/Sessions/:session_sid',
    summary: 'End one of your own sessions',
    params: z.object({ session_sid }),
  },
  endOthers: {
    ...own,
    ...ends,
    method: 'DELETE',
    summary: 'End all of your own sessions except this one',
  },
  ofUser: {
    ...ofUser,
    method: 'GET',
    summary: 'List the open sessions of a user, newest first',
    response: z.array(Session),
  },
  endOfUser: {
    ...ofUser,
    ...removes,
    path: '/Users/:user_sid/Sessions/:session_sid',
    summary: 'End a session of a user',
    params: z.object({ user_sid: Sid, session_sid }),
  },
  endAllOfUser: {
    ...ofUser,
    ...removes,
    summary: 'End all sessions of a user, except the one of this request',
  },
})
