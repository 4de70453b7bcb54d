import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  CARRIER_COLUMNS,
  CARRIER_IMPORT_MAX_ROWS,
  CARRIER_NAME_TAKEN,
  CarrierRow,
  keysOf,
  MAX_GATEWAYS,
  type SipGatewayIn,
  t,
  trunkIssues,
} from '@switchroom/contract'
import type { z } from 'zod'
import { definedFields } from '../../db/defined-fields.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import {
  type Bad,
  exactlyOne,
  firstOf,
  isBad,
  type NamedRow,
  namedBy,
  ownerOf,
} from '../../imports/names.ts'
import type { ImportSpec, Resolved, Row } from '../../imports/spec.ts'
import { columnsOf, netmaskIssues } from './gateways.ts'
import * as carriers from './queries.ts'
import { mayNotRoute } from './reserved.ts'

type Cells = z.output<typeof CarrierRow>
type Owner = { account_sid: string | null; service_provider_sid: string | null }

/** The carrier of a row, and one of its gateways. */
function parts(row: Cells) {
  const { gateway: ipv4, gateway_is_active: is_active, ...rest } = row
  const { netmask, port, protocol, inbound, outbound, ...more } = rest
  const { send_options_ping, use_sips_scheme, pad_crypto, remove_ice, dtls_off, ...carrier } = more
  const settings = { send_options_ping, use_sips_scheme, pad_crypto, remove_ice, dtls_off }
  const gateway: SipGatewayIn | undefined = ipv4
    ? { ipv4, netmask, port, protocol, inbound, outbound, is_active, ...settings }
    : undefined
  return { carrier, gateway }
}
type CarrierCells = ReturnType<typeof parts>['carrier']

type Gateway = { line: number; gateway: SipGatewayIn }
type Group = { line: number; carrier: CarrierCells; gateways: Gateway[] }

type Carrier = Owner & { voip_carrier_sid: string; name: string; application_sid: string | null }
/** A carrier with its gateways is in its first row; its further rows are empty. */
type Ready = {
  carrier?: Carrier
  gateways?: (ReturnType<typeof columnsOf> & {
    sip_gateway_sid: string
    voip_carrier_sid: string
  })[]
}

const keyOf = ({ name, account }: { name?: string; account?: string | null | undefined }) =>
  JSON.stringify([name?.trim().toLowerCase(), account?.trim().toLowerCase() ?? ''])

type Refuse = (line: number, problem: Bad) => void

/** The carriers of these rows, in file order. Refuses rows that contradict an earlier one of their carrier. */
function groupsOf(rows: Row<Cells>[], refuse: Refuse) {
  const groups = new Map<string, Group>()
  for (const { line, row } of rows) {
    const { carrier, gateway } = parts(row)
    const group = groups.get(keyOf(row)) ?? { line, carrier, gateways: [] }
    groups.set(keyOf(row), group)
    // an empty cell repeats the one above
    for (const column of keysOf(definedFields(carrier)))
      if (carrier[column] !== null && !isDeepStrictEqual(carrier[column], group.carrier[column]))
        if (column !== 'name' && column !== 'account')
          refuse(line, {
            column,
            message: t('Differs from line {line} of the same carrier', { line: group.line }),
          })
    if (gateway) group.gateways.push({ line, gateway })
  }
  return groups.values()
}

/** The CSV import of carriers with their SIP gateways. `provider`: whose account names the file uses. */
export function carrierImport(
  { config }: Pick<Context, 'config'>,
  scope: Scope,
  provider: string | undefined,
): ImportSpec<Cells, Ready> {
  const first = firstOf()

  type Found = Record<'accounts' | 'applications' | 'stored', (cell: string) => NamedRow[]>

  function resolveCarrier({ line, carrier }: Group, found: Found): Carrier | Bad {
    const { name, account, application, ...columns } = carrier
    const named = ownerOf(scope, provider, found.accounts, account ?? null)
    if (named && isBad(named)) return named
    const shared = scope.role === 'admin' ? provider : scope.service_provider_sid
    if (!named && !shared) return { column: 'account', message: t('Enter the account') }
    const owner: Owner = named ?? { account_sid: null, service_provider_sid: shared! }
    const isTaken = found
      .stored(name)
      .some(
        (c) =>
          c.name.toLowerCase() === name.toLowerCase() &&
          c.account_sid === owner.account_sid &&
          (owner.account_sid !== null || c.service_provider_sid === owner.service_provider_sid),
      )
    if (isTaken) return { column: 'name', message: CARRIER_NAME_TAKEN }
    const before = first(line, name, owner.account_sid ?? '')
    if (before)
      return { column: 'name', message: t('Duplicate of the carrier in line {before}', { before }) }
    const used = application ? applicationOf(owner, found.applications(application)) : { sid: null }
    if (isBad(used)) return used
    return {
      ...definedFields(columns),
      name,
      voip_carrier_sid: randomUUID(),
      ...owner,
      application_sid: used.sid,
    }
  }

  function applicationOf({ account_sid }: Owner, named: NamedRow[]): { sid: string } | Bad {
    const column = 'application'
    if (mayNotRoute({ config }, scope)) return { column, message: t('insufficient privileges') }
    if (!account_sid)
      return { column, message: t('Only a carrier of an account can have an application') }
    return exactlyOne(
      named.filter((a) => a.account_sid === account_sid),
      column,
    )
  }

  /** Refuses a carrier that could not be saved as a whole. */
  function checkTrunk({ line, carrier, gateways }: Group, refuse: Refuse) {
    if (gateways.length > MAX_GATEWAYS)
      refuse(line, {
        column: 'gateway',
        message: t('At most {MAX_GATEWAYS} SIP gateways', { MAX_GATEWAYS }),
      })
    for (const { line, gateway } of gateways)
      for (const { path, message } of netmaskIssues(gateway, config.min_gateway_netmask))
        refuse(line, { column: String(path[0]), message })
    const sip_gateways = gateways.map((g) => g.gateway)
    for (const { path, message } of trunkIssues({ ...carrier, sip_gateways })) {
      const [field, index] = path
      const at = typeof index === 'number' ? gateways[index]!.line : line
      refuse(at, { column: field === 'sip_gateways' ? 'gateway' : String(field), message })
    }
  }

  async function resolve(tx: Db, rows: Row<Cells>[]): Promise<Resolved<Ready>[]> {
    const cells = (name: 'account' | 'application' | 'name') => rows.map((r) => r.row[name] ?? null)
    const found = {
      accounts: await namedBy(tx, 'accounts', cells('account')),
      applications: await namedBy(tx, 'applications', cells('application')),
      stored: await namedBy(tx, 'voip_carriers', cells('name')),
    }
    const problems = new Map<number, Bad>()
    const refuse: Refuse = (line, problem) => {
      if (!problems.has(line)) problems.set(line, problem)
    }
    const ready = new Map<number, Ready>()
    for (const group of groupsOf(rows, refuse)) {
      const carrier = resolveCarrier(group, found)
      if (isBad(carrier)) refuse(group.line, carrier)
      else {
        const { voip_carrier_sid } = carrier
        const gateways = group.gateways.map(({ gateway }) => ({
          sip_gateway_sid: randomUUID(),
          voip_carrier_sid,
          ...columnsOf(gateway),
        }))
        ready.set(group.line, { carrier, gateways })
      }
      checkTrunk(group, refuse)
    }
    return rows.map(({ line }) => problems.get(line) ?? { ready: ready.get(line) ?? {} })
  }

  return {
    kind: 'voip_carrier',
    columns: CARRIER_COLUMNS,
    row: CarrierRow,
    most: CARRIER_IMPORT_MAX_ROWS,
    groupOf: keyOf,
    // no unique key covers names
    lock: () => 'voip-carriers',
    limited: (rows) => ({
      voip_carriers: rows.filter((r) => r.carrier).length,
      sip_gateways: rows.reduce((n, r) => n + (r.gateways?.length ?? 0), 0),
    }),
    resolve,
    insert: (tx, rows) =>
      carriers.insertAll(
        tx,
        rows.flatMap((r) => r.carrier ?? []),
        rows.flatMap((r) => r.gateways ?? []),
      ),
    added: ({ carrier, gateways: sip_gateways = [] }) =>
      carrier && { sid: carrier.voip_carrier_sid, subject: { ...carrier, sip_gateways } },
  }
}
