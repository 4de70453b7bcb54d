import { createHash } from 'node:crypto'
import {
  AccessRule,
  Flag,
  LOGIN_FAILED,
  type Lockable,
  localLogInOff,
  NO_BREAK_GLASS,
  NOT_TESTED,
  passwordRefused,
} from '@switchroom/contract'
import { z } from 'zod'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/open.ts'
import type { Context } from './context.ts'
import { Failure } from './failure.ts'

/** The platform's `provider` of users whom an identity provider or a directory manages. */
export const OIDC = 'oidc'

export const StoredSettings = z.object({
  is_active: Flag,
  is_enforced: Flag,
  name: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  scopes: z.string(),
  directory_claim: z.string(),
  rules: z.array(AccessRule),
})
export type StoredSettings = z.infer<typeof StoredSettings>

export type SingleSignOnSettings = StoredSettings & {
  client_secret: string | null
  /** When somebody first logged in with this issuer and client. */
  tested_at: string | null
}

/** The variable of each setting. */
export const VARIABLES = {
  is_active: 'SWITCHROOM_SSO_ISSUER',
  is_enforced: 'SWITCHROOM_SSO_ENFORCED',
  name: 'SWITCHROOM_SSO_NAME',
  issuer: 'SWITCHROOM_SSO_ISSUER',
  client_id: 'SWITCHROOM_SSO_CLIENT_ID',
  client_secret: 'SWITCHROOM_SSO_CLIENT_SECRET',
  scopes: 'SWITCHROOM_SSO_SCOPES',
  directory_claim: 'SWITCHROOM_SSO_DIRECTORY_CLAIM',
  rules: 'SWITCHROOM_SSO_RULES',
} as const satisfies Record<Lockable, string>

const DEFAULTS: StoredSettings = {
  is_active: 0,
  is_enforced: 0,
  name: 'single sign-on',
  issuer: '',
  client_id: '',
  scopes: 'openid email profile',
  directory_claim: 'sub',
  rules: [],
}

type Source = Pick<Context, 'config' | 'box'>

/** The issuer and client that a test applies to. */
export const clientDigest = ({
  issuer,
  client_id,
}: Pick<StoredSettings, 'issuer' | 'client_id'>): string =>
  createHash('sha256').update(`${issuer}\n${client_id}`).digest('hex')

export const settingsRow = (db: Db) =>
  db.selectFrom('switchroom_single_sign_on').selectAll().where('id', '=', 1).executeTakeFirst()

/** The settings in effect: the environment's over the stored ones. */
export async function readSettings({ config, box }: Source, db: Db): Promise<SingleSignOnSettings> {
  const row = await settingsRow(db)
  const settings = {
    ...DEFAULTS,
    client_secret: (row?.sealed_secret && box.open(row.sealed_secret)) || null,
    ...(row && StoredSettings.parse(JSON.parse(row.settings))),
    ...config.single_sign_on,
  }
  const tested = row?.tested_with === clientDigest(settings)
  return { ...settings, tested_at: tested ? row.tested_at : null }
}

const isHosted = ({ page }: Config) => Boolean(page.ENABLE_HOSTED_SYSTEM)

/** The settings where people can log in with single sign-on; otherwise undefined. */
export async function activeSettings(ctx: Source & { db: Db }) {
  if (isHosted(ctx.config)) return undefined
  const settings = await readSettings(ctx, ctx.db)
  return settings.is_active && settings.issuer && settings.client_id ? settings : undefined
}

/** True if an active administrator could still log in with a password. */
const hasBreakGlass = async (db: Db) =>
  (await db
    .selectFrom('switchroom_break_glass')
    .innerJoin('users', 'users.user_sid', 'switchroom_break_glass.user_sid')
    .select('users.user_sid')
    .where('users.provider', '=', 'local')
    .where('users.is_active', '=', 1)
    .where('users.account_sid', 'is', null)
    .where('users.service_provider_sid', 'is', null)
    .executeTakeFirst()) !== undefined

/** Why single sign-on cannot be enforced without locking everybody out; null if it can. */
export async function enforcementProblem(db: Db, { tested_at }: SingleSignOnSettings) {
  if (!tested_at) return NOT_TESTED
  return (await hasBreakGlass(db)) ? null : NO_BREAK_GLASS
}

/** The settings while single sign-on is enforced; it pauses rather than lock everybody out. */
async function enforcedSettings(ctx: Source & { db: Db }) {
  const settings = await activeSettings(ctx)
  const isEnforced = settings?.is_enforced && !(await enforcementProblem(ctx.db, settings))
  return isEnforced ? settings : undefined
}

const isBreakGlass = async (db: Db, user_sid: string) =>
  (await db
    .selectFrom('switchroom_break_glass')
    .select('user_sid')
    .where('user_sid', '=', user_sid)
    .executeTakeFirst()) !== undefined

/**
 * Password log-in of this user, or of an unknown one: `isOn` if a password is accepted, and the message for a refused
 * one. Call it before a password is tried: while single sign-on is enforced, a right password counts, costs and is
 * answered like a wrong one.
 */
export async function passwordLogIn(ctx: Source & { db: Db }, user_sid = '') {
  const settings = await enforcedSettings(ctx)
  if (!settings) return { isOn: true, refusal: LOGIN_FAILED }
  return { isOn: await isBreakGlass(ctx.db, user_sid), refusal: passwordRefused(settings.name) }
}

/**
 * Throws 403 for a user who may only log in with single sign-on: everybody while it is enforced, except for
 * break-glass users; and always those whom the identity provider manages, since it could not end them
 * otherwise. Call it once a passkey or link has proved to be right, so that nobody learns whose are.
 */
export async function refuseLocalLogIn(
  ctx: Source & { db: Db },
  { user_sid, provider }: { user_sid: string; provider: string },
) {
  if (provider === OIDC) {
    const settings = await activeSettings(ctx)
    throw new Failure('forbidden', localLogInOff(settings?.name ?? DEFAULTS.name))
  }
  const settings = await enforcedSettings(ctx)
  if (settings && !(await isBreakGlass(ctx.db, user_sid)))
    throw new Failure('forbidden', localLogInOff(settings.name))
}
