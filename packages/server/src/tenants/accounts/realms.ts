import { randomUUID } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { SIP_REALM_TAKEN, t } from '@switchroom/contract'
import { type AuditSubject, audited } from '../../audit/audited.ts'
import type { Actor } from '../../audit/record.ts'
import { insertMany } from '../../db/insert-many.ts'
import type { Db } from '../../db/open.ts'
import { transaction } from '../../db/transaction.ts'
import type { Context } from '../../http/context.ts'
import { conflict, Failure, invalidField, onDuplicate } from '../../http/failure.ts'
import { sbcAddresses } from '../sbc-addresses.ts'
import { type DnsRecord, dnsMadeEasy, type Zone } from './dns.ts'
import * as accountNames from './names.ts'
import * as accounts from './queries.ts'

type ActorContext = Actor & { ctx: Context }
type AccountRealm = { account_sid: string; sip_realm: string | null; service_provider_sid: string }

/** Lock time-out in seconds, for a process that dies during a change. */
const SECONDS = 120

// account users see this too, though only an operator can fix it
const NO_ADDRESSES = t(
  'This service has no address for SIP realms yet. Nothing was changed. Please contact support.',
)
const realmTaken = () => conflict('sip_realm', SIP_REALM_TAKEN)

/** DNS records of an account's realm, by the DNS provider's record ids. */
export const recordsOf = (db: Db, account_sid: string) =>
  db.selectFrom('dns_records').selectAll().where('account_sid', '=', account_sid).execute()

/** The SBCs that take calls to a realm: the provider's own, or the shared ones. */
async function borderControllers({ db, log }: Context, service_provider_sid: string) {
  const own = await sbcAddresses(db, service_provider_sid)
  const rows = own.length > 0 ? own : await sbcAddresses(db, null)
  const addresses = [...new Set(rows.map((r) => r.ipv4).filter(isIPv4))]
  if (addresses.length > 0) return addresses
  log.error(
    { service_provider_sid },
    'no SIP realm can be set: there is no SBC with an IPv4 address',
  )
  throw new Failure('unavailable', NO_ADDRESSES)
}

const dnsFailed = (realm: string, cause: unknown) =>
  new Failure('vendor_failed', t('failure updating dns records for {realm}', { realm }), { cause })

/**
 * Changes an account's realm. The name is claimed in a transaction, so only one account gets it, then added
 * to DNS; if that fails, the old realm is restored. After a crash in between the realm has no records:
 * setting the same realm again creates them.
 */
export async function setRealm(
  who: ActorContext,
  account: AccountRealm,
  realm: string,
  change: AuditSubject<AccountRealm>,
) {
  const { live } = who.ctx
  // one change at a time per account, since two would mix their DNS records
  const key = `switchroom:realm:${account.account_sid}`
  if ((await live.increment(key, SECONDS)) > 1)
    throw new Failure('too_many', t('The SIP realm is being changed right now. Try again.'), {
      retry_after: 5,
    })
  try {
    await replaceRealm(who, account, realm, change)
  } finally {
    await live.remove(key)
  }
}

async function replaceRealm(
  who: ActorContext,
  account: AccountRealm,
  realm: string,
  change: AuditSubject<AccountRealm>,
) {
  const { ctx, scope } = who
  const { account_sid, service_provider_sid } = account
  if (ctx.config.page.ENABLE_HOSTED_SYSTEM && scope.role === 'account') {
    if (!(await accountNames.isOwnSubdomain(ctx.db, account_sid, realm)))
      throw invalidField('sip_realm', t('invalid sip_realm: {realm}', { realm }))
  }
  const dns = ctx.config.dns && dnsMadeEasy(ctx.config.dns)
  const addresses = dns ? await borderControllers(ctx, service_provider_sid) : []
  if (await accountNames.isRealmTaken(ctx.db, realm, account_sid)) throw realmTaken()
  let place: Zone | undefined
  if (dns)
    try {
      place = await dns.zoneOf(realm)
      const records = await dns.existing(place)
      // the name belongs to someone else; records of the account's own realm are replaced
      if (records.length > 0 && account.sip_realm !== realm) throw realmTaken()
      if (records.length > 0) await dns.remove(place.zone, records)
    } catch (e) {
      throw e instanceof Failure ? e : dnsFailed(realm, e)
    }

  const claim = (value: string | null, only?: string) =>
    audited(who, change, async (tx, before) => {
      // the account may be deleted, or have another realm by now
      if (!before || (only !== undefined && before.sip_realm !== only)) return before
      if (value && (await accountNames.isRealmTaken(tx, value, account_sid))) throw realmTaken()
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

/**
 * Stores the new records. Resolves to the records to delete: the old ones, or the new ones when the account
 * has another realm by now.
 */
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

/** Deletes DNS records that are no longer used. Failures are logged. */
export async function release(
  { config, log }: Context,
  realm: string | null,
  records: { record_id: number }[],
) {
  if (!config.dns || !realm || records.length === 0) return
  const dns = dnsMadeEasy(config.dns)
  const ids = records.map((r) => r.record_id)
  await dns
    .zoneOf(realm)
    .then(({ zone }) => dns.remove(zone, ids))
    .catch((err) => log.error({ err, record_ids: ids }, 'DNS records could not be removed'))
}
