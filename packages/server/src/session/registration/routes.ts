import { randomInt } from 'node:crypto'
import { type api, PHONE_NOT_SUPPORTED, SipRealm, t } from '@switchroom/contract'
import * as applications from '../../applications/queries.ts'
import { record } from '../../audit/record.ts'
import { transaction } from '../../db/transaction.ts'
import type { Context } from '../../http/context.ts'
import { Failure, found, invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import * as accountNames from '../../tenants/accounts/names.ts'
import * as serviceProviders from '../../tenants/service-providers/queries.ts'
import * as takenUsers from '../../users/taken.ts'
import * as byEmail from './by-email.ts'
import * as elsewhere from './oauth.ts'
import * as registrations from './queries.ts'
import { refuseTooMany, throttle } from './registration.ts'
import * as signIns from './sign-ins.ts'

/** True if this caller could take a realm; accounts only take one label below their provider's domain. */
async function isRealmAvailable({ db }: Context, scope: Scope, value: string) {
  const realm = SipRealm.safeParse(value)
  if (!realm.success || !realm.data) return false
  if (scope.role !== 'account') return !(await accountNames.isRealmTaken(db, realm.data))
  if (!(await accountNames.isOwnSubdomain(db, scope.account_sid, realm.data))) return false
  return !(await accountNames.isRealmTaken(db, realm.data, scope.account_sid))
}

const INVITE_ALPHABET = '0123456789ABCXZ'
const inviteCode = () =>
  Array.from({ length: 6 }, () => INVITE_ALPHABET[randomInt(INVITE_ALPHABET.length)]).join('')

export const registrationRoutes: Handlers<typeof api.registration> = {
  async authorize({ body, ctx, meta }) {
    await throttle({ ctx, meta }, 'authorizations', 300)
    return {
      url: await signIns.beginSignIn(ctx, body.provider, meta.browser!, body.locationBeforeAuth),
    }
  },

  register: ({ body, ...actorContext }) =>
    body.provider === 'local'
      ? byEmail.register(actorContext, body)
      : elsewhere.register(actorContext, body.provider, body),

  async sendCode({ body, ...actorContext }) {
    if (body.type === 'phone') throw invalidField('type', PHONE_NOT_SUPPORTED)
    await throttle(actorContext, 'codes')
    if (body.value === undefined) await byEmail.sendAgain(actorContext, body.user_sid)
    else await byEmail.beginNewAddress(actorContext, body.user_sid, body.value)
  },

  async checkCode({ params, body: { user_sid, type }, ...actorContext }) {
    await throttle(actorContext, 'guesses')
    if (type === 'phone') throw invalidField('type', PHONE_NOT_SUPPORTED)
    await byEmail.verifyCode(actorContext, user_sid, params.code)
  },

  async availability({ query: { type, value }, scope, ctx }) {
    if (type === 'subdomain') return { available: await isRealmAvailable(ctx, scope, value) }
    // limits probing for addresses that have accounts
    const asker = scope.user_sid ?? scope.api_key_sid
    if (scope.role === 'account') await refuseTooMany(ctx, `availability:${asker}`, 10)
    return { available: !(await takenUsers.isKnown(ctx.db, type, value)) }
  },

  async addInviteCodes({ body: { count }, ctx, ...actor }) {
    const wanted = new Set<string>()
    while (wanted.size < count) wanted.add(inviteCode())
    const added = await transaction(ctx.db, async (tx) => {
      const fresh = await registrations.addInviteCodes(tx, [...wanted])
      // only the count: readers of the log must not learn invite codes
      const after = { added: fresh.length }
      const entry = { action: 'create', kind: 'invite_code', name: `${fresh.length}` } as const
      const nobodys = { sid: '', account_sid: null, service_provider_sid: null }
      await record(tx, actor, [{ ...entry, ...nobodys, before: null, after }])
      return fresh
    })
    return { status: 'ok', added: added.length, codes: added }
  },

  async useInviteCode({ body: { code, test }, ...actorContext }) {
    await throttle(actorContext, 'invitations', 30)
    const { db } = actorContext.ctx
    const good = test
      ? await registrations.isGoodInvite(db, code)
      : await registrations.useInvite(db, code)
    if (!good) throw new Failure('not_found', t('Not Found'))
  },

  async accountTest({ params: { service_provider_sid: sid }, ctx }) {
    const everybody: Scope = { role: 'admin', view_only: true, force_change: false }
    found(await serviceProviders.find(ctx.db, everybody, sid), t('service provider'))
    const rows = await registrations.testApplications(ctx.db, sid)
    const shown = await applications.readable(ctx.db, ctx.box, rows)
    return {
      phonenumbers: await registrations.testNumbers(ctx.db, sid),
      applications: shown.map((a) => ({ ...applications.masked(a), env_vars: null })),
    }
  },
}
