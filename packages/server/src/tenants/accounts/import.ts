import { randomUUID } from 'node:crypto'
import {
  ACCOUNT_COLUMNS,
  ACCOUNT_NAME_TAKEN,
  AccountRow,
  defaultWebhookMethod,
  SIP_REALM_TAKEN,
  t,
  webhookSecret,
} from '@switchroom/contract'
import type { z } from 'zod'
import { insertMany } from '../../db/insert-many.ts'
import type { Db } from '../../db/open.ts'
import { firstOf } from '../../imports/names.ts'
import type { ImportSpec, Resolved, Row } from '../../imports/spec.ts'
import * as webhooks from '../webhooks/queries.ts'
import * as accountNames from './names.ts'

type Cells = z.output<typeof AccountRow>
type Ready = { account: Cells & { account_sid: string; service_provider_sid: string } }

const HOOKS = ['registration_hook', 'queue_event_hook'] as const

/** The CSV import of accounts into one service provider. */
export function accountImport(service_provider_sid: string): ImportSpec<Cells, Ready> {
  const firstName = firstOf()
  const firstRealm = firstOf()

  async function resolve(tx: Db, rows: Row<Cells>[]): Promise<Resolved<Ready>[]> {
    const taken = await accountNames.takenNames(
      tx,
      service_provider_sid,
      rows.map((r) => r.row.name),
      rows.flatMap((r) => r.row.sip_realm ?? []),
    )
    return rows.map(({ line, row }) => {
      const { name, sip_realm } = row
      if (taken.names.has(name.toLowerCase()))
        return { column: 'name', message: ACCOUNT_NAME_TAKEN }
      if (sip_realm && taken.realms.has(sip_realm))
        return { column: 'sip_realm', message: SIP_REALM_TAKEN }
      const named = firstName(line, name)
      if (named)
        return { column: 'name', message: t('Duplicate of the name in line {named}', { named }) }
      const at = sip_realm ? firstRealm(line, sip_realm) : undefined
      if (at)
        return {
          column: 'sip_realm',
          message: t('Duplicate of the SIP realm in line {at}', { at }),
        }
      return { ready: { account: { ...row, account_sid: randomUUID(), service_provider_sid } } }
    })
  }

  async function insert(tx: Db, ready: Ready[]) {
    const hooks = new Map<string, string>()
    for (const { account } of ready)
      for (const hook of HOOKS)
        if (account[hook]) hooks.set(`${account.account_sid} ${hook}`, randomUUID())
    await webhooks.insertAll(
      tx,
      ready.flatMap(({ account }) =>
        HOOKS.flatMap((hook) => {
          const url = account[hook]
          const webhook_sid = hooks.get(`${account.account_sid} ${hook}`)
          return url && webhook_sid ? [{ webhook_sid, url, method: defaultWebhookMethod(url) }] : []
        }),
      ),
    )
    await insertMany(
      tx,
      'accounts',
      ready.map(({ account: { registration_hook: _, queue_event_hook: __, ...account } }) => ({
        ...account,
        webhook_secret: webhookSecret(),
        registration_hook_sid: hooks.get(`${account.account_sid} registration_hook`) ?? null,
        queue_event_hook_sid: hooks.get(`${account.account_sid} queue_event_hook`) ?? null,
      })),
    )
  }

  return {
    kind: 'account',
    columns: ACCOUNT_COLUMNS,
    row: AccountRow,
    lock: () => 'accounts',
    resolve,
    insert,
    added: ({ account }) => ({ sid: account.account_sid, subject: account }),
  }
}
