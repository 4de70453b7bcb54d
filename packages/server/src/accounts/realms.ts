import { randomUUID } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { SIP_REALM_TAKEN } from '@switchroom/contract'
import { type Change, changing } from '../changes/changing.ts'
import type { Who } from '../changes/record.ts'
import type { Context } from '../context.ts'
import { insertMany } from '../db/insert-many.ts'
import type { Db } from '../db/open.ts'
import { transaction } from '../db/transaction.ts'
import { conflict, Failure, invalidField, onDuplicate } from '../http/failure.ts'
import * as signalling from '../signalling-addresses/queries.ts'
import { type DnsRecord, dnsMadeEasy, type Place } from './dns.ts'
import * as accounts from './queries.ts'

type Asking = Who & { ctx: Context }
type Shown = { account_sid: string; sip_realm: string | null; service_provider_sid: string }

/** The longest that a change may take, for whoever is killed in the middle of one. */
const SECONDS = 120

// to people of an account as well, who can do nothing about it
const NO_ADDRESSES =
  'This service has no address for SIP realms yet. Please contact support; nothing was changed.'
const taken = () => conflict('sip_realm', SIP_REALM_TAKEN)

/** Records of an account's realm, by their numbers at the provider. */
export const recordsOf = (db: Db, account_sid: string) =>
  db.selectFrom('dns_records').selectAll().where('account_sid', '=', account_sid).execute()

/** Where calls to a realm arrive: the provider's border controllers, or those that all providers share. */
async function borderControllers({ db, log }: Context, service_provider_sid: string) {
  const own = await signalling.sbcs(db, service_provider_sid)
  const rows = own.length > 0 ? own : await signalling.sbcs(db, null)
  const addresses = [...new Set(rows.map((r) => r.ipv4).filter(isIPv4))]
  if (addresses.length > 0) return addresses
  log.error(
    { service_provider_sid },
    'no SIP realm can be set: there is no SBC with an IPv4 address',
  )
  throw new Failure('unavailable', NO_ADDRESSES)
}

const dnsFailed = (realm: string, cause: unknown) =>
  new Failure('vendor_failed', `failure updating dns records for ${realm}`, { cause })

/**
 * Gives an account another realm. The name is claimed first, in one transaction, so that of two who want it
 * one gets it; then it is made known in DNS. Where that fails the account has its old realm again. Killed in
 * between, the account has the realm without its names: asking for the same realm once more makes them.
 */
export async function setRealm(who: Asking, account: Shown, realm: string, change: Change<Shown>) {
  const { live } = who.ctx
  // one at a time for an account: what two do in DNS at once is nobody's wish
  const key = `switchroom:realm:${account.account_sid}`
  if ((await live.increment(key, SECONDS)) > 1)
    throw new Failure('too_many', 'The SIP realm is being changed at the moment.', {
      retry_after: 5,
    })
  try {
    await replaceRealm(who, account, realm, change)
  } finally {
    await live.remove(key)
  }
}

async function replaceRealm(who: Asking, account: Shown, realm: string, change: Change<Shown>) {
  const { ctx, scope } = who
  const { account_sid, service_provider_sid } = account
  if (ctx.config.page.ENABLE_HOSTED_SYSTEM && scope.role === 'account') {
    if (!(await accounts.isOwnSubdomain(ctx.db, account_sid, realm)))
      throw invalidField('sip_realm', `invalid sip_realm: ${realm}`)
  }
  const dns = ctx.config.dns && dnsMadeEasy(ctx.config.dns)
  const addresses = dns ? await borderControllers(ctx, service_provider_sid) : []
  if (await accounts.isRealmTaken(ctx.db, realm, account_sid)) throw taken()
  let place: Place | undefined
  if (dns)
    try {
      place = await dns.placeOf(realm)
      const there = await dns.existing(place)
      // of somebody else's, or of the operator's own; of this account's own realm they are made anew
      if (there.length > 0 && account.sip_realm !== realm) throw taken()
      if (there.length > 0) await dns.remove(place.zone, there)
    } catch (e) {
      throw e instanceof Failure ? e : dnsFailed(realm, e)
    }

  const claim = (value: string | null, only?: string) =>
    changing(who, change, async (tx, before) => {
      // the account may have gone, or have got another realm meanwhile
      if (!before || (only !== undefined && before.sip_realm !== only)) return before
      if (value && (await accounts.isRealmTaken(tx, value, account_sid))) throw taken()
      await accounts.update(tx, scope, account_sid, { sip_realm: value })
      return before
    }).catch(onDuplicate({ sip_realm: SIP_REALM_TAKEN }))
  const before = await claim(realm)
  if (!dns || !place) return

  let made: DnsRecord[]
  try {
    made = await dns.create(place, addresses)
  } catch (cause) {
    const previous = before?.sip_realm ?? null
    if (previous !== realm) await claim(previous, realm)
    throw dnsFailed(realm, cause)
  }
  const old = await keepRecords(ctx, account_sid, realm, made)
  await release(ctx, before?.sip_realm ?? realm, old)
}

/** Resolves to the records that are to go: the old ones, or these where the account has another realm by now. */
const keepRecords = (ctx: Context, account_sid: string, realm: string, made: DnsRecord[]) =>
  transaction(ctx.db, async (tx) => {
    const now = await tx
      .selectFrom('accounts')
      .select('sip_realm')
      .where('account_sid', '=', account_sid)
      .executeTakeFirst()
    if (now?.sip_realm !== realm) return made
    const old = await recordsOf(tx, account_sid)
    await tx.deleteFrom('dns_records').where('account_sid', '=', account_sid).execute()
    await insertMany(
      tx,
      'dns_records',
      made.map((r) => ({ dns_record_sid: randomUUID(), account_sid, ...r })),
    )
    return old
  })

/** Takes names out of DNS that lead nowhere any more. What cannot be taken out is in the log. */
export async function release(
  { config, log }: Context,
  realm: string | null,
  records: { record_id: number }[],
) {
  if (!config.dns || !realm || records.length === 0) return
  const dns = dnsMadeEasy(config.dns)
  const ids = records.map((r) => r.record_id)
  await dns
    .placeOf(realm)
    .then(({ zone }) => dns.remove(zone, ids))
    .catch((err) => log.error({ err, record_ids: ids }, 'DNS records could not be removed'))
}
