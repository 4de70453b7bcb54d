import {
  type api,
  singleSignOn as contract,
  keysOf,
  LOCKABLE,
  type Lockable,
  MASK,
  type Received,
  type SingleSignOn,
  t,
} from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import type { Actor } from '../../audit/record.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { Failure, invalidField } from '../../http/failure.ts'
import {
  clientDigest,
  enforcementProblem,
  readSettings,
  type SingleSignOnSettings,
  StoredSettings,
  settingsRow,
  VARIABLES,
} from '../../http/single-sign-on.ts'
import { accessOf } from '../../users/provisioning/access.ts'
import { roleOf } from '../../users/token-claims.ts'
import { backchannelUri, logOutUri, redirectUri } from './addresses.ts'

const lockedIn = ({ config }: Pick<Context, 'config'>) =>
  LOCKABLE.filter((field) => config.single_sign_on[field] !== undefined)

async function breakGlass(db: Db): Promise<SingleSignOn['break_glass']> {
  const marked = await db.selectFrom('switchroom_break_glass').select('user_sid').execute()
  if (marked.length === 0) return []
  const rows = await db
    .selectFrom('users')
    .select(['user_sid', 'name', 'is_active', 'account_sid', 'service_provider_sid'])
    .where(
      'user_sid',
      'in',
      marked.map((m) => m.user_sid),
    )
    .orderBy('name')
    .execute()
  return rows.map((row) => ({
    user_sid: row.user_sid,
    name: row.name,
    scope: roleOf(row),
    is_active: row.is_active,
  }))
}

/** The settings for administrators: without the secret, with the values to register at the provider. */
export async function view(ctx: Context, db: Db): Promise<SingleSignOn> {
  const { client_secret, ...settings } = await readSettings(ctx, db)
  return {
    ...settings,
    client_secret: client_secret && MASK,
    break_glass: await breakGlass(db),
    locked: Object.fromEntries(lockedIn(ctx).map((field) => [field, VARIABLES[field]])),
    redirect_uri: redirectUri(ctx),
    log_out_uri: logOutUri(ctx),
    backchannel_logout_uri: backchannelUri(ctx),
    enforcement_problem: await enforcementProblem(db, { ...settings, client_secret }),
  }
}

const SID = 'single-sign-on'

const auditSubject = (ctx: Context) => ({
  kind: 'single_sign_on' as const,
  sid: SID,
  view: contract.view,
  // with the encrypted secret, so that the audit log can tell when it changed
  read: async (tx: Db) => ({
    ...(await view(ctx, tx)),
    sealed_secret: (await settingsRow(tx))?.sealed_secret ?? null,
  }),
})

type Update = Received<typeof api.singleSignOn.update>['body']

/** Throws 400 for a field that an environment variable sets, unless it is sent unchanged. */
function refuseLocked(ctx: Context, current: SingleSignOnSettings, body: Update) {
  for (const field of lockedIn(ctx)) {
    const sent = body[field]
    const same = field === 'client_secret' ? sent === MASK : isSame(sent, current[field])
    if (sent !== undefined && !same)
      throw invalidField(
        field,
        t('{variable} sets this. Change it there', { variable: VARIABLES[field] }),
      )
  }
}
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Throws 400 for rules that name accounts or providers that do not exist. */
async function requireOwners(db: Db, rules: SingleSignOnSettings['rules']) {
  for (const [i, rule] of rules.entries())
    if (!(await accessOf(db, rule, null))) {
      const field = rule.scope === 'account' ? 'account_sid' : 'service_provider_sid'
      const message =
        rule.scope === 'account' ? t('No such account') : t('No such service provider')
      throw new Failure('invalid', message, { issues: [{ path: ['rules', i, field], message }] })
    }
}

async function saveBreakGlass(tx: Db, users: string[]) {
  const sids = [...new Set(users)]
  const local = sids.length
    ? await tx
        .selectFrom('users')
        .select('user_sid')
        .where('user_sid', 'in', sids)
        .where('provider', '=', 'local')
        .execute()
    : []
  if (local.length < sids.length)
    throw invalidField('break_glass', t('Choose users who have a password'))
  await tx.deleteFrom('switchroom_break_glass').execute()
  if (sids.length > 0)
    await tx
      .insertInto('switchroom_break_glass')
      .values(sids.map((user_sid) => ({ user_sid })))
      .execute()
}

export async function update(actor: Actor & { ctx: Context }, body: Update) {
  const { ctx } = actor
  await audited(actor, auditSubject(ctx), async (tx) => {
    const current = await readSettings(ctx, tx)
    refuseLocked(ctx, current, body)
    const { client_secret, break_glass, ...rest } = body
    if (rest.issuer?.startsWith('http:') && ctx.config.allow_networks.length === 0)
      throw invalidField(
        'issuer',
        t('Enter a URL that starts with https://. http:// needs SWITCHROOM_ALLOW_NETWORKS'),
      )
    if (rest.rules) await requireOwners(tx, rest.rules)
    if (break_glass) await saveBreakGlass(tx, break_glass)
    const next = { ...current, ...definedOf(rest) }
    if (next.is_active)
      for (const field of ['issuer', 'client_id'] as const)
        if (!next[field])
          throw invalidField(
            field,
            field === 'issuer' ? t('Enter the issuer') : t('Enter the client ID'),
          )
    const row = await settingsRow(tx)
    const sealed_secret =
      client_secret === undefined || client_secret === MASK
        ? (row?.sealed_secret ?? null)
        : client_secret && ctx.box.seal(client_secret)
    const stored = {
      // values from the environment are not stored
      settings: JSON.stringify(
        StoredSettings.parse({ ...next, ...(row && unlocked(ctx, row.settings)) }),
      ),
      sealed_secret,
    }
    if (row) await tx.updateTable('switchroom_single_sign_on').set(stored).execute()
    else
      await tx
        .insertInto('switchroom_single_sign_on')
        .values({ id: 1, ...stored })
        .execute()
    const saved = await readSettings(ctx, tx)
    const problem = body.is_enforced && (await enforcementProblem(tx, saved))
    if (problem) throw invalidField('is_enforced', problem)
    if (body.is_enforced && !saved.is_active)
      throw invalidField('is_enforced', t('Turn on single sign-on before you enforce it'))
  })
}

/** The stored values of fields that the environment sets, which come back once it no longer does. */
function unlocked(ctx: Context, settings: string) {
  const stored = StoredSettings.parse(JSON.parse(settings))
  const locked: readonly Lockable[] = lockedIn(ctx)
  return Object.fromEntries(
    keysOf(stored)
      .filter((field) => locked.includes(field))
      .map((field) => [field, stored[field]]),
  )
}

const definedOf = (rest: Omit<Update, 'client_secret' | 'break_glass'>) =>
  Object.fromEntries(
    Object.entries(rest).filter(([, v]) => v !== undefined),
  ) as Partial<SingleSignOnSettings>

/** Remembers that somebody has logged in with this issuer and client. */
export async function markTested(db: Db, settings: SingleSignOnSettings) {
  if (settings.tested_at) return
  const tested = { tested_at: new Date().toISOString(), tested_with: clientDigest(settings) }
  const row = await settingsRow(db)
  if (row) {
    await db.updateTable('switchroom_single_sign_on').set(tested).execute()
    return
  }
  const { tested_at: _, client_secret: __, ...stored } = settings
  await db
    .insertInto('switchroom_single_sign_on')
    .values({
      id: 1,
      settings: JSON.stringify(StoredSettings.parse(stored)),
      sealed_secret: null,
      ...tested,
    })
    .execute()
}
