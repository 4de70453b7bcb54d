import {
  type api,
  transcriptSettings as contract,
  NOT_WITHOUT_WORDS,
  SECRET_SPLIT,
  type TranscriptSettings,
  t,
} from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import type { Db } from '../../db/open.ts'
import { found, invalid } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { askAppEnv } from '../../outbound/app-env.ts'
import { protocolOf, vendorId } from '../../speech/protocol.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import { type Logging, loggedOutbound } from '../../tenants/webhook-log/send-logged.ts'
import { credentialOf, hooksOf, insert, rememberKept, settingsOf, update } from './queries.ts'

/** Undefined for an account that the caller may not see. */
async function view(db: Db, scope: Scope, account_sid: string) {
  const account = await accounts.findVisible(db, scope, account_sid)
  return account && { ...account, ...(await settingsOf(db, account_sid)) }
}

const refused = (message: string, ...path: string[]) =>
  invalid({ path: ['automatic', ...path], message, params: { msg: message } })

/** Throws 400 unless the account can have speech recognized with it. */
async function checkCredential(db: Db, account_sid: string, sid: string) {
  const refuse = (message: string) => refused(message, 'speech_credential_sid')
  const credential = await credentialOf(db, account_sid, sid)
  if (!credential) throw refuse(t('No such speech service'))
  if (credential.use_for_stt !== 1)
    throw refuse(t('This speech service is not enabled for recognition'))
  const vendor = vendorId(credential.vendor)
  if (!vendor || !(await protocolOf(vendor)).recognize)
    throw refuse(t('Recordings cannot be sent to this speech service'))
}

/** The most webhooks that are asked whether a variable is a secret. */
const MAX_ASKED = 20

/**
 * Throws 400 if an application of the account declares the variable as obscure. One that cannot be asked declares
 * nothing. Call outside transactions: it sends requests.
 */
async function refuseObscured(ctx: Logging, scope: Scope, account_sid: string, name: string) {
  const hooks = await hooksOf(ctx.db, scope, account_sid, MAX_ASKED)
  const outbound = loggedOutbound(ctx, {
    kind: 'environment',
    ...{ account_sid, service_provider_sid: null, application_sid: null },
  })
  const answers = await Promise.all(hooks.map((url) => askAppEnv(outbound, url)))
  if (answers.some((answer) => 'schema' in answer && answer.schema[name]?.obscure))
    throw invalid({ path: ['split', 'name'], message: SECRET_SPLIT, params: { msg: SECRET_SPLIT } })
}

export const transcriptSettingRoutes: Handlers<typeof api.transcriptSettings> = {
  view: async ({ params, scope, ctx }) =>
    found(await view(ctx.db, scope, params.account_sid), t('account')),

  async update({ params: { account_sid }, body, ...actor }) {
    const { scope, ctx } = actor
    const subject = {
      kind: 'transcript_settings' as const,
      sid: account_sid,
      view: contract.view,
      read: (tx: Db) => view(tx, scope, account_sid),
    }
    if (body.split?.source === 'variable')
      await refuseObscured(ctx, scope, account_sid, body.split.name)
    await audited(actor, subject, async (tx, before) => {
      const stored: TranscriptSettings = found(before, t('account'))
      const words = body.words ?? stored.words
      if (words === 'leave_out' && body.automatic) throw refused(NOT_WITHOUT_WORDS)
      // without words there is nothing to transcribe
      const automatic =
        words === 'leave_out'
          ? null
          : body.automatic === undefined
            ? stored.automatic
            : body.automatic
      if (body.automatic)
        await checkCredential(tx, account_sid, body.automatic.speech_credential_sid)
      const split = body.split === undefined ? stored.split : body.split
      const now = new Date().toISOString()
      const words_since = words === stored.words ? stored.words_since : now
      const isSame =
        JSON.stringify([words, automatic, split]) ===
        JSON.stringify([stored.words, stored.automatic, stored.split])
      if (isSame) return
      await insert(tx, account_sid)
      if (words !== stored.words) await rememberKept(tx, account_sid, stored, now)
      await update(tx, scope, account_sid, { words, automatic, split, words_since })
    })
    // spans that come from now on; tried again soon if it fails
    await ctx.words
      .refresh()
      .catch((err) => ctx.log.warn({ err }, 'Stores were not told what is kept of words'))
  },
}
