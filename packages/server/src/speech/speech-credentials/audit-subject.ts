import { createHmac, randomBytes } from 'node:crypto'
import { accountSpeechCredentials, allFields, isSecret, vendorOf } from '@switchroom/contract'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import type { Scope } from '../../http/scope.ts'
import { configOf } from '../stored.ts'
import * as credentials from './queries.ts'
import { readable } from './readable.ts'

const key = randomBytes(32)

/** Another one when a secret is another one, and nothing that could be guessed from, even if it were seen. */
function markOf(ctx: Context, row: credentials.Row) {
  const vendor = vendorOf(row.vendor)
  const config = (vendor && configOf(ctx.box, row)) ?? {}
  const secrets = Object.entries(vendor ? allFields(vendor) : {}).flatMap(([name, field]) =>
    isSecret(field) ? [[name, config[name]]] : [],
  )
  return createHmac('sha256', key).update(JSON.stringify(secrets)).digest('base64')
}

const { view } = accountSpeechCredentials

/** A credential as the log compares it: with a mark, so that it can tell that there is another secret. */
export const auditSubject = (
  ctx: Context,
  scope: Scope,
  owner: credentials.Owner,
  sid: string,
) => ({
  kind: 'speech_credential' as const,
  sid,
  // no unique key keeps labels apart, so who writes one waits for the others
  lock: 'speech_credentials',
  // of the same version as what callers have read, which has no mark
  view: { ...view, response: view.response.transform(({ secret_mark: _, ...shown }) => shown) },
  read: async (tx: Db) => {
    const row = await credentials.find(tx, scope, owner, sid)
    return row && { ...readable(ctx.box, row), secret_mark: markOf(ctx, row) }
  },
})
