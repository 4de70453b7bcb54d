import { randomInt } from 'node:crypto'
import { type api, PHONES_ARE_NOT_VERIFIED, SipRealm } from '@switchroom/contract'
import * as accounts from '../accounts/queries.ts'
import * as applications from '../applications/queries.ts'
import { record } from '../changes/record.ts'
import type { Context } from '../context.ts'
import { transaction } from '../db/transaction.ts'
import { Failure, found, invalidField } from '../http/failure.ts'
import type { Scope } from '../http/scope.ts'
import type { Handlers } from '../http/serve.ts'
import * as serviceProviders from '../service-providers/queries.ts'
import * as users from '../users/queries.ts'
import * as byEmail from './by-email.ts'
import * as elsewhere from './elsewhere.ts'
import * as registrations from './queries.ts'
import { refuseTooMany, throttle } from './registering.ts'
import * as signIns from './sign-ins.ts'

/** A realm that this caller could take: an account only one below its provider's domain. */
async function isRealmAvailable({ db }: Context, scope: Scope, value: string) {
  const realm = SipRealm.safeParse(value)
  if (!realm.success || !realm.data) return false
  if (scope.role !== 'account') return !(await accounts.isRealmTaken(db, realm.data))
  if (!(await accounts.isOwnSubdomain(db, scope.account_sid, realm.data))) return false
  return !(await accounts.isRealmTaken(db, realm.data, scope.account_sid))
}

const INVITE_ALPHABET = '0123456789ABCXZ'
const inviteCode = () =>
  Array.from({ length: 6 }, () => INVITE_ALPHABET[randomInt(INVITE_ALPHABET.length)]).join('')

export const registrationRoutes: Handlers<typeof api.registration> = {
  async authorize({ body, ctx, by }) {
    await throttle({ ctx, by }, 'authorizations', 300)
    return { url: await signIns.begin(ctx, body.provider, by.browser!, body.locationBeforeAuth) }
  },

  register: ({ body, ...asking }) =>
    body.provider === 'local'
      ? byEmail.register(asking, body)
      : elsewhere.register(asking, body.provider, body),

  async sendCode({ body, ...asking }) {
    if (body.type === 'phone') throw invalidField('type', PHONES_ARE_NOT_VERIFIED)
    await throttle(asking, 'codes')
    if (body.value === undefined) await byEmail.sendAgain(asking, body.user_sid)
    else await byEmail.beginNewAddress(asking, body.user_sid, body.value)
  },

  async checkCode({ params, body: { user_sid, type }, ...asking }) {
    await throttle(asking, 'guesses')
    if (type === 'phone') throw invalidField('type', PHONES_ARE_NOT_VERIFIED)
    await byEmail.prove(asking, user_sid, params.code)
  },

  async availability({ query: { type, value }, scope, ctx }) {
    if (type === 'subdomain') return { available: await isRealmAvailable(ctx, scope, value) }
    // an account has little to ask of other people's addresses, and could find out who has one here
    const asker = scope.user_sid ?? scope.api_key_sid
    if (scope.role === 'account') await refuseTooMany(ctx, `availability:${asker}`, 10)
    return { available: !(await users.isKnown(ctx.db, type, value)) }
  },

  async addInviteCodes({ body: { count }, ctx, ...who }) {
    const wanted = new Set<string>()
    while (wanted.size < count) wanted.add(inviteCode())
    const added = await transaction(ctx.db, async (tx) => {
      const fresh = await registrations.addInviteCodes(tx, [...wanted])
      // how many, and not which: whoever reads the log is not invited by it
      const after = { added: fresh.length }
      const entry = { action: 'create', kind: 'invite_code', name: `${fresh.length}` } as const
      const nobodys = { sid: '', account_sid: null, service_provider_sid: null }
      await record(tx, who, [{ ...entry, ...nobodys, before: null, after }])
      return fresh
    })
    return { status: 'ok', added: added.length, codes: added }
  },

  async useInviteCode({ body: { code, test }, ...asking }) {
    await throttle(asking, 'invitations', 30)
    const { db } = asking.ctx
    const good = test
      ? await registrations.isGoodInvite(db, code)
      : await registrations.useInvite(db, code)
    if (!good) throw new Failure('not_found', 'Not Found')
  },

  async accountTest({ params: { service_provider_sid: sid }, ctx }) {
    const everybody: Scope = { role: 'admin', view_only: true, force_change: false }
    found(await serviceProviders.find(ctx.db, everybody, sid), 'service provider')
    const rows = await registrations.testApplications(ctx.db, sid)
    const shown = await applications.readable(ctx.db, ctx.box, rows)
    return {
      phonenumbers: await registrations.testNumbers(ctx.db, sid),
      applications: shown.map((a) => ({ ...applications.masked(a), env_vars: null })),
    }
  },
}
