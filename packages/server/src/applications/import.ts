import { randomUUID } from 'node:crypto'
import {
  APPLICATION_COLUMNS,
  APPLICATION_NAME_TAKEN,
  ApplicationRow,
  defaultWebhookMethod,
  t,
} from '@switchroom/contract'
import type { z } from 'zod'
import { insertMany } from '../db/insert-many.ts'
import type { Db } from '../db/open.ts'
import type { Scope } from '../http/scope.ts'
import { firstOf, isBad, namedBy, ownerOf } from '../imports/names.ts'
import type { ImportSpec, Resolved, Row } from '../imports/spec.ts'
import * as webhooks from '../tenants/webhooks/queries.ts'

type Cells = z.output<typeof ApplicationRow>
type Ready = Omit<Cells, 'account'> & { application_sid: string; account_sid: string }

/** The CSV import of applications. `provider`: whose account names the file uses. */
export function applicationImport(
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
    const applications = await namedBy(
      tx,
      'applications',
      rows.map((r) => r.row.name),
    )
    return rows.map(({ line, row: { account, ...row } }) => {
      const owner = ownerOf(scope, provider, accounts, account)
      if (!owner) return { column: 'account', message: t('Enter the account') }
      if (isBad(owner)) return owner
      const { account_sid } = owner
      const taken = applications(row.name).some(
        (a) => a.account_sid === account_sid && a.name.toLowerCase() === row.name.toLowerCase(),
      )
      if (taken) return { column: 'name', message: APPLICATION_NAME_TAKEN }
      const before = first(line, account_sid, row.name)
      if (before)
        return { column: 'name', message: t('Duplicate of the name in line {before}', { before }) }
      return { ready: { ...row, application_sid: randomUUID(), account_sid } }
    })
  }

  async function insert(tx: Db, ready: Ready[]) {
    const hooks = ready.map((a) => ({
      call_hook_sid: randomUUID(),
      call_status_hook_sid: randomUUID(),
      call_hook: a.call_hook,
      call_status_hook: a.call_status_hook,
    }))
    await webhooks.insertAll(
      tx,
      hooks.flatMap((h) => [
        {
          webhook_sid: h.call_hook_sid,
          url: h.call_hook,
          method: defaultWebhookMethod(h.call_hook),
        },
        {
          webhook_sid: h.call_status_hook_sid,
          url: h.call_status_hook,
          method: defaultWebhookMethod(h.call_status_hook),
        },
      ]),
    )
    const rows = ready.map((a, i) => {
      const { call_hook: _, call_status_hook: __, ...columns } = a
      const { call_hook_sid, call_status_hook_sid } = hooks[i]!
      return { ...columns, call_hook_sid, call_status_hook_sid }
    })
    // an empty cell keeps the column's default
    for (const alike of Map.groupBy(rows, (row) => Object.keys(row).join()).values())
      await insertMany(tx, 'applications', alike)
  }

  return {
    kind: 'application',
    columns: APPLICATION_COLUMNS,
    row: ApplicationRow,
    lock: () => 'applications',
    limited: (rows) => ({ applications: rows.length }),
    quota: { table: 'applications', accountOf: (row) => row.account_sid },
    resolve,
    insert,
    added: (row) => ({ sid: row.application_sid, subject: row }),
  }
}
