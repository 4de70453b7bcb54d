import {
  NUMBER_TAKEN,
  PHONE_NUMBER_COLUMNS,
  type PhoneNumber,
  PhoneNumberRow,
  t,
} from '@switchroom/contract'
import type { z } from 'zod'
import { ascendingUuids } from '../../db/ascending-uuids.ts'
import type { Db } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { exactlyOne, isBad, type NamedRow, ownerOf, references } from '../../imports/names.ts'
import type { ImportSpec, Resolved, Row } from '../../imports/spec.ts'
import * as numberWrites from './writes.ts'

type Cells = z.output<typeof PhoneNumberRow>

/** The CSV import of phone numbers. `provider`: whose account and carrier names the file uses. */
export function phoneNumberImport(
  scope: Scope,
  provider: string | undefined,
): ImportSpec<Cells, PhoneNumber> {
  const named = references()
  const newSid = ascendingUuids()
  /** Accepted numbers of this file, by number and carrier. */
  const seen = new Map<string, number>()
  const key = (number: string, carrier: string | null) => `${number.toLowerCase()} ${carrier ?? ''}`

  async function resolve(tx: Db, rows: Row<Cells>[]): Promise<Resolved<PhoneNumber>[]> {
    const column = (name: 'account' | 'carrier' | 'application') => rows.map((r) => r.row[name])
    const accounts = await named(tx, 'accounts', column('account'))
    const carriers = await named(tx, 'voip_carriers', column('carrier'))
    const applications = await named(tx, 'applications', column('application'))
    const stored = await numberWrites.takenNumbers(
      tx,
      rows.map((r) => r.row.number),
    )
    const existing = new Set(stored.map((n) => key(n.number, n.voip_carrier_sid)))
    return rows.map(({ line, row }) => {
      const owner = ownerOf(scope, provider, accounts, row.account)
      if (owner && isBad(owner)) return owner
      // a number without an account belongs to a provider
      const numberProvider =
        owner?.service_provider_sid ??
        (scope.role === 'service_provider' ? scope.service_provider_sid : provider)
      let voip_carrier_sid: string | null = null
      if (row.carrier) {
        const matchesOwner = (c: NamedRow) =>
          c.account_sid
            ? c.account_sid === owner?.account_sid
            : numberProvider === undefined || c.service_provider_sid === numberProvider
        const carrier = exactlyOne(carriers(row.carrier).filter(matchesOwner), 'carrier')
        if (isBad(carrier)) return carrier
        voip_carrier_sid = carrier.sid
      }
      let application_sid: string | null = null
      if (row.application) {
        const own = applications(row.application).filter(
          (a) => owner && a.account_sid === owner.account_sid,
        )
        const application = exactlyOne(own, 'application')
        if (isBad(application)) return application
        application_sid = application.sid
      }
      const same = key(row.number, voip_carrier_sid)
      if (existing.has(same)) return { column: 'number', message: NUMBER_TAKEN }
      const before = seen.get(same)
      // a row that is checked again is no duplicate of itself
      if (before !== undefined && before !== line)
        return {
          column: 'number',
          message: t('Duplicate of the number in line {before}', { before }),
        }
      seen.set(same, line)
      return {
        ready: {
          phone_number_sid: newSid(),
          number: row.number,
          voip_carrier_sid,
          account_sid: owner?.account_sid ?? null,
          application_sid,
          // numbers of an account have no provider: with one, the platform treats them as test numbers
          service_provider_sid: owner ? null : (numberProvider ?? null),
          description: row.description,
        },
      }
    })
  }

  return {
    kind: 'phone_number',
    columns: PHONE_NUMBER_COLUMNS,
    row: PhoneNumberRow,
    // as of numbers that are added one by one: the unique key covers those with a carrier
    lock: (rows) => (rows.every((row) => row.voip_carrier_sid) ? undefined : 'phone-numbers'),
    limited: (rows) => ({ phone_numbers: rows.length }),
    quota: { table: 'phone_numbers', accountOf: (row) => row.account_sid },
    resolve,
    insert: numberWrites.insert,
    inserted: numberWrites.inserted,
    isUnique: (row) => row.voip_carrier_sid !== null,
    added: (row) => ({ sid: row.phone_number_sid, subject: row }),
  }
}
