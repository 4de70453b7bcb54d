import { randomUUID } from 'node:crypto'
import * as accounts from '../accounts/queries.ts'
import * as applications from '../applications/queries.ts'
import { within } from '../changes/changing.ts'
import type { Context } from '../context.ts'
import { type Db, timestamp } from '../db/open.ts'
import type { By, Scope } from '../http/scope.ts'
import * as subscriptions from '../subscriptions/queries.ts'
import * as users from '../users/queries.ts'
import { webhookSecret } from '../webhook-secret.ts'
import * as webhooks from '../webhooks/queries.ts'

const TRIAL_DAYS = 21
const DAY = 86_400_000

const SAMPLES = 'https://public-apps.jambonz.cloud'
/** The platform's applications to try a new account with. */
const APPLICATIONS = [
  ['hello world', 'hello-world'],
  ['dial time clock', 'dial-time'],
  ['simple echo test', 'echo'],
] as const

/** Whether this address has had an account before; from now on it has. */
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

/** A new user sees its own account and nothing else. */
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
 * The user, whose address has proved to be its own. Its name is the address: names are what people sign in
 * by, and one that somebody chose elsewhere could be another person's here.
 */
export const addUser = (tx: Db, by: By, scope: Scope, person: Person) =>
  within(tx, { scope, by }, { ...users.thing(scope, person.user_sid), isNew: true }, async () => {
    await users.insert(tx, { ...person, name: person.email, email_validated: 1 })
  })

/** A whole account with its first user, subscription and applications, as the platform expects them. */
export async function addAccount(ctx: Context, tx: Db, by: By, person: Person): Promise<void> {
  const { account_sid: sid, service_provider_sid, email } = person
  const scope = scopeOf(person)
  const account = {
    kind: 'account' as const,
    sid,
    read: (db: Db) => accounts.find({ ...ctx, db }, scope, sid),
    isNew: true as const,
  }
  await within(tx, { scope, by }, account, async () => {
    // a second account of the same person begins without a trial
    const plan = (await returns(tx, email)) ? 'free' : 'trial'
    await accounts.insert(tx, {
      account_sid: sid,
      service_provider_sid,
      // its column is shorter than an address may be
      name: email.slice(0, 64),
      webhook_secret: webhookSecret(),
      is_active: 1,
      plan_type: plan,
      trial_end_date: timestamp(new Date(Date.now() + TRIAL_DAYS * DAY)),
    })
    await subscriptions.startPlan(tx, sid, plan)
    await addSamples(tx, sid)
  })
  await addUser(tx, by, scope, person)
}
