import { randomUUID } from 'node:crypto'
import { webhookSecret } from '@switchroom/contract'
import * as applications from '../../applications/queries.ts'
import { auditedIn } from '../../audit/audited.ts'
import * as subscriptions from '../../billing/queries.ts'
import { type Db, timestamp } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import type { RequestMeta, Scope } from '../../http/scope.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as webhooks from '../../tenants/webhooks/queries.ts'
import * as users from '../../users/queries.ts'
import * as userWrites from '../../users/writes.ts'

const TRIAL_DAYS = 21
const DAY = 86_400_000

const SAMPLES = 'https://public-apps.jambonz.cloud'
/** The platform's sample applications that a new account gets. */
const APPLICATIONS = [
  ['hello world', 'hello-world'],
  ['dial time clock', 'dial-time'],
  ['simple echo test', 'echo'],
] as const

/** True if an account was registered with this email before. Records the email. */
async function returns(tx: Db, email: string) {
  const known = await tx
    .selectFrom('signup_history')
    .select('email')
    .where('email', '=', email)
    .executeTakeFirst()
  if (known) return true
  await tx.insertInto('signup_history').values({ email, name: email }).execute()
  return false
}

async function addSamples(tx: Db, account_sid: string) {
  const hook = (path: string) => ({
    webhook_sid: randomUUID(),
    url: `${SAMPLES}/${path}`,
    method: 'POST' as const,
  })
  const status = hook('call-status')
  const samples = APPLICATIONS.map(([name, path]) => ({ name, call: hook(path) }))
  await webhooks.insertAll(tx, [status, ...samples.map((s) => s.call)])
  for (const { name, call } of samples)
    await applications.insert(tx, {
      application_sid: randomUUID(),
      account_sid,
      name,
      call_hook_sid: call.webhook_sid,
      call_status_hook_sid: status.webhook_sid,
      speech_synthesis_vendor: 'google',
      speech_synthesis_language: 'en-US',
      speech_synthesis_voice: 'en-US-Wavenet-C',
      speech_recognizer_vendor: 'google',
      speech_recognizer_language: 'en-US',
    })
}

export type Person = {
  user_sid: string
  account_sid: string
  service_provider_sid: string
  email: string
} & (
  | { provider: 'local'; hashed_password: string }
  | { provider: 'google' | 'github'; provider_userid: string }
)

/** The scope of a new user: its own account. */
export const scopeOf = (person: Person): Scope => ({
  role: 'account',
  user_sid: person.user_sid,
  name: person.email,
  account_sid: person.account_sid,
  service_provider_sid: person.service_provider_sid,
  view_only: false,
  force_change: false,
})

/**
 * Inserts the user, whose email is verified. Its username is the email: users log in by name, and a name
 * chosen at a provider could be somebody else's here.
 */
export const addUser = (tx: Db, meta: RequestMeta, scope: Scope, person: Person) =>
  auditedIn(
    tx,
    { scope, meta },
    { ...users.auditSubject(scope, person.user_sid), isNew: true },
    async () => {
      await userWrites.insert(tx, { ...person, name: person.email, email_validated: 1 })
    },
  )

/** Creates an account with its first user, subscription and applications, as the platform expects them. */
export async function addAccount(
  ctx: Context,
  tx: Db,
  meta: RequestMeta,
  person: Person,
): Promise<void> {
  const { account_sid: sid, service_provider_sid, email } = person
  const scope = scopeOf(person)
  const account = {
    kind: 'account' as const,
    sid,
    read: (db: Db) => accounts.find({ ...ctx, db }, scope, sid),
    isNew: true as const,
  }
  await auditedIn(tx, { scope, meta }, account, async () => {
    // a second account with the same email starts without a trial
    const plan = (await returns(tx, email)) ? 'free' : 'trial'
    await accounts.insert(tx, {
      account_sid: sid,
      service_provider_sid,
      // the column is shorter than an email may be
      name: email.slice(0, 64),
      webhook_secret: webhookSecret(),
      is_active: 1,
      plan_type: plan,
      trial_end_date: timestamp(new Date(Date.now() + TRIAL_DAYS * DAY)),
    })
    await subscriptions.startPlan(tx, sid, plan, 'account registered')
    await addSamples(tx, sid)
  })
  await addUser(tx, meta, scope, person)
}
