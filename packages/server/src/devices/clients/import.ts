import { randomUUID } from 'node:crypto'
import { CLIENT_COLUMNS, ClientRow, t, USERNAME_TAKEN } from '@switchroom/contract'
import type { z } from 'zod'
import { insertMany } from '../../db/insert-many.ts'
import type { Db } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { firstOf, isBad, namedBy, ownerOf } from '../../imports/names.ts'
import type { ImportSpec, Resolved, Row } from '../../imports/spec.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import * as clients from './queries.ts'

type Cells = z.output<typeof ClientRow>
type Ready = Omit<Cells, 'account'> & { client_sid: string; account_sid: string }

/** The CSV import of SIP clients. `provider`: whose account names the file uses. */
export function clientImport(
  box: SecretBox,
  scope: Scope,
  provider: string | undefined,
): ImportSpec<Cells, Ready> {
  const first = firstOf()

  async function resolve(tx: Db, rows: Row<Cells>[]): Promise<Resolved<Ready>[]> {
    const accounts = await namedBy(
      tx,
      'accounts',
      rows.map((r) => r.row.account),
    )
    const taken = await clients.takenUsernames(
      tx,
      rows.map((r) => r.row.username),
    )
    return rows.map(({ line, row: { account, ...row } }) => {
      const owner = ownerOf(scope, provider, accounts, account)
      if (!owner) return { column: 'account', message: t('Enter the account') }
      if (isBad(owner)) return owner
      const { account_sid } = owner
      if (taken(account_sid, row.username)) return { column: 'username', message: USERNAME_TAKEN }
      const before = first(line, account_sid, row.username)
      if (before)
        return {
          column: 'username',
          message: t('Duplicate of the username in line {before}', { before }),
        }
      return {
        ready: { ...row, client_sid: randomUUID(), account_sid, password: box.seal(row.password) },
      }
    })
  }

  return {
    kind: 'client',
    columns: CLIENT_COLUMNS,
    row: ClientRow,
    lock: () => 'clients',
    resolve,
    insert: (tx, ready) => insertMany(tx, 'clients', ready),
    added: (row) => ({ sid: row.client_sid, subject: row }),
  }
}
