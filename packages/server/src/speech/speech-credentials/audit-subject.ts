import { createHmac, randomBytes } from 'node:crypto'
import { accountSpeechCredentials, allFields, isSecret, vendorOf } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import { configOf } from '../stored.ts'
import * as credentials from './queries.ts'
import { readable } from './readable.ts'

const key = randomBytes(32)

/** A keyed digest of the secrets. It changes with them and does not help to guess them. */
function markOf(ctx: Context, row: credentials.Row) {
  const vendor = vendorOf(row.vendor)
  const config = (vendor && configOf(ctx.box, row)) ?? {}
  const secrets = Object.entries(vendor ? allFields(vendor) : {}).flatMap(([name, field]) =>
    isSecret(field) ? [[name, config[name]]] : [],
  )
  return createHmac('sha256', key).update(JSON.stringify(secrets)).digest('base64')
}

const { view } = accountSpeechCredentials

/** A credential for the audit log, with a digest so that changed secrets are noticed. */
export const auditSubject = (
  ctx: Context,
  scope: Scope,
  owner: credentials.Owner,
  sid: string,
) => ({
  kind: 'speech_credential' as const,
  sid,
  // no unique key covers labels, so writers take turns
  lock: 'speech_credentials',
  // the version must match the read that callers have, which has no digest
  view: { ...view, response: view.response.transform(({ secret_mark: _, ...shown }) => shown) },
  read: async (tx: Db) => {
    const row = await credentials.find(tx, scope, owner, sid)
    return row && { ...readable(ctx.box, row), secret_mark: markOf(ctx, row) }
  },
})
