import { t } from '@switchroom/contract'
import { sql } from 'kysely'
import { errorCode } from '../../../errors/members.ts'
import type { Check } from '../check.ts'
import { type Finding, named, notChecked, ok, problem, warning } from '../finding.ts'
import type { Site } from '../site.ts'

/** The most realms that are looked up. */
const MOST = 50
/** The name has no record of this type, or does not exist. */
const NONE = new Set(['ENOTFOUND', 'ENODATA'])
const SERVICES = ['_sip._udp', '_sip._tcp', '_sips._tcp']

type Realm = { realm: string; has_clients: number }

/** Whether the SIP realms of accounts resolve, and to SBCs of this platform. */
export const realms: Check = {
  name: 'realms',
  needs: /^JAMBONES_MYSQL_|^SWITCHROOM_DATA$/,
  async run({ database, resolver }) {
    const opened = await database()
    if ('failure' in opened) return notChecked(t('The database cannot be used.'))
    const { it: db } = opened
    const { rows } = await sql<Realm>`
      select a.sip_realm as realm,
        exists (select 1 from clients c where c.account_sid = a.account_sid) as has_clients
      from accounts a where a.sip_realm is not null and a.sip_realm <> ''
      order by a.sip_realm limit ${sql.lit(MOST)}`.execute(db)
    if (rows.length === 0) return ok(t('No account has a SIP realm.'))
    const { rows: sbcs } = await sql<{ ipv4: string }>`
      select distinct ipv4 from sbc_addresses`.execute(db)
    const known = sbcs.map(({ ipv4 }) => ipv4)
    const looked = await Promise.all(
      rows.map(async (row) => ({ ...row, found: await addressesOf(resolver, row.realm) })),
    )
    const silent = looked.find(({ found }) => typeof found === 'string')
    if (silent)
      return warning(
        t('The DNS server of this machine does not answer for {realm} ({reason}).', {
          realm: silent.realm,
          reason: String(silent.found),
        }),
        t('Look at /etc/resolv.conf and at the DNS server it names. SIP realms were not checked.'),
      )
    const found = looked.flatMap(({ realm, has_clients, found }) =>
      typeof found === 'string' ? [] : (realmFinding(realm, found, known, !!has_clients) ?? []),
    )
    return found.length > 0
      ? found
      : ok(
          t('{rows} resolve: {named}.', {
            rows: rows.length,
            named: named(rows.map((r) => r.realm)),
          }),
        )
  },
}

/** What devices would find, or the code of the error if the DNS server does not answer. */
async function addressesOf(resolver: Site['resolver'], name: string): Promise<string[] | string> {
  let failure: string | undefined
  const orNone = <T>(asked: Promise<T[]>) =>
    asked.catch((e: unknown): T[] => {
      const code = errorCode(e) ?? 'unknown'
      if (!NONE.has(code)) failure ??= code
      return []
    })
  const hosts = await Promise.all(
    SERVICES.map((service) => orNone(resolver.resolveSrv(`${service}.${name}`))),
  )
  const names = new Set([name, ...hosts.flat().map((record) => record.name)])
  const addresses = await Promise.all(
    [...names].flatMap((host) => [
      orNone(resolver.resolve4(host)),
      orNone(resolver.resolve6(host)),
    ]),
  )
  const found = [...new Set(addresses.flat())]
  return found.length === 0 && failure ? failure : found
}

function realmFinding(
  realm: string,
  found: string[],
  sbcs: string[],
  hasClients: boolean,
): Finding | undefined {
  const to = sbcs.length > 0 ? named(sbcs) : t('your SBCs')
  if (found.length === 0)
    // before an SBC has announced itself, no device can register and no call can come
    return (hasClients && sbcs.length > 0 ? problem : warning)(
      t('The SIP realm {realm} does not resolve, so that devices cannot register with it.', {
        realm,
      }),
      t(
        'Create an A record for {realm}, or a wildcard record for its domain, with the address of {to}. Devices with an outbound proxy do not need it.',
        { realm, to },
      ),
    )
  if (sbcs.length > 0 && !found.some((address) => sbcs.includes(address)))
    return warning(
      t('The SIP realm {realm} resolves to {addresses}, which is no known SBC ({known}).', {
        realm,
        addresses: named(found),
        known: named(sbcs),
      }),
      t(
        'Correct its DNS record, unless a load balancer is there. If the addresses of the SBCs are out of date, correct them in the settings.',
      ),
    )
  return undefined
}
