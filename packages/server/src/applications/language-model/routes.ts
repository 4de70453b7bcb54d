import {
  type api,
  languageModel as contract,
  MASK,
  MODEL_KEY_AGAIN,
  NO_LANGUAGE_MODEL,
  t,
} from '@switchroom/contract'
import { auditEvent, audited } from '../../audit/audited.ts'
import type { Db } from '../../db/open.ts'
import { Failure, found, invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { hourly } from '../../live/hourly.ts'
import { Refused } from '../../speech/protocol.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import { chat } from './chat.ts'
import { modelOf } from './model.ts'
import * as models from './queries.ts'

const TESTS_PER_HOUR = 60
const TEST_TOKENS = 50
const TEST_CHARS = 300

/** Undefined for an account that the caller may not see. */
async function view(db: Db, scope: Scope, account_sid: string) {
  const account = await accounts.findVisible(db, scope, account_sid)
  return account && { ...account, ...models.shown(await models.stored(db, account_sid)) }
}

const auditSubject = (scope: Scope, account_sid: string) => ({
  kind: 'language_model' as const,
  sid: account_sid,
  view: contract.view,
  read: async (tx: Db) => {
    const shown = await view(tx, scope, account_sid)
    const row = await models.stored(tx, account_sid)
    // encrypted, so that the audit log can tell when it changed
    return shown && { ...shown, sealed_secret: row?.sealed_key ?? null }
  },
})

const isSameServer = (a: string, b: string | undefined) =>
  b !== undefined && new URL(a).origin === new URL(b).origin

export const languageModelRoutes: Handlers<typeof api.languageModel> = {
  view: async ({ params, scope, ctx }) =>
    found(await view(ctx.db, scope, params.account_sid), t('account')),

  async update({ params: { account_sid }, body, ...actor }) {
    const { scope, ctx } = actor
    const { url, model, api_key = MASK } = body
    await audited(actor, auditSubject(scope, account_sid), async (tx, before) => {
      found(before, t('account'))
      if (!url || !model) return models.remove(tx, scope, account_sid)
      const stored = await models.stored(tx, account_sid)
      const keeps = api_key === MASK
      if (keeps && stored?.sealed_key && !isSameServer(url, stored.url))
        throw invalidField('api_key', MODEL_KEY_AGAIN)
      const sealed_key = keeps ? (stored?.sealed_key ?? null) : api_key && ctx.box.seal(api_key)
      if (stored) await models.update(tx, scope, account_sid, { url, model, sealed_key })
      else await models.insert(tx, { account_sid, url, model, sealed_key })
    })
  },

  async test({ params: { account_sid }, ...actor }) {
    const { scope, ctx } = actor
    const subject = found(await view(ctx.db, scope, account_sid), t('account'))
    if (!subject.url) throw new Failure('conflict', NO_LANGUAGE_MODEL)
    const retry_after = await hourly(ctx, `model-tests:${account_sid}`, TESTS_PER_HOUR)
    if (retry_after > 0)
      throw new Failure(
        'too_many',
        t('A language model can be tested {limit} times per hour. Try again later.', {
          limit: TESTS_PER_HOUR,
        }),
        { retry_after },
      )
    await auditEvent(actor, { action: 'send', kind: 'language_model', sid: account_sid, subject })
    const began = performance.now()
    const ms = () => Math.round(performance.now() - began)
    try {
      const model = found(await modelOf(ctx, account_sid), t('language model'))
      const { text, tokens } = await chat(
        ctx.outbound,
        model,
        [{ role: 'user', content: 'Answer with the word ready.' }],
        TEST_TOKENS,
      )
      return { is_ok: true, text: text.trim().slice(0, TEST_CHARS), ms: ms(), tokens }
    } catch (e) {
      if (!(e instanceof Refused)) throw e
      return { is_ok: false, text: e.message, ms: ms(), tokens: 0 }
    }
  },
}
