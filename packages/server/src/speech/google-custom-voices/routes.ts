import { randomUUID } from 'node:crypto'
import { type api, t } from '@switchroom/contract'
import { audited } from '../../audit/audited.ts'
import { definedFields, isEmpty } from '../../db/defined-fields.ts'
import type { Db } from '../../db/open.ts'
import { Failure, found, invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { textIssues } from '../../http/text.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as credentials from '../speech-credentials/queries.ts'
import * as voices from './queries.ts'

const insufficient = () => new Failure('forbidden', t('Insufficient privileges'))

/** A voice that the caller may change. Throws 404, and 403 for one that an account may only read. */
async function owned(db: Db, scope: Scope, sid: string) {
  const voice = found(await voices.find(db, scope, sid), t('custom voice'))
  if (!credentials.isOwn(scope, voice)) throw insufficient()
  return voice
}

/** Includes the owner, and the key so that the audit log notices a new one. */
const auditSubject = (scope: Scope, sid: string) => ({
  kind: 'google_custom_voice' as const,
  sid,
  read: (tx: Db) => voices.find(tx, scope, sid),
})

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Throws 400 for a binary file. */
function textIn(file: Uint8Array): string {
  const refused = () => invalidField('file', t('The file must be text'))
  try {
    const text = utf8.decode(file).trim()
    if (textIssues(text).length > 0) throw refused()
    if (text === '') throw invalidField('file', t('The file is empty'))
    return text
  } catch (e) {
    throw e instanceof TypeError ? refused() : e
  }
}

type Owner = { account_sid?: string | undefined; service_provider_sid?: string | undefined }

/** The owner of the listed voices: the caller, or the one in the query. */
async function ownerOf(db: Db, scope: Scope, requested: Owner): Promise<Owner> {
  if (scope.role === 'account') return scope
  const service_provider_sid =
    scope.role === 'service_provider' ? scope.service_provider_sid : requested.service_provider_sid
  if (!requested.account_sid) {
    if (service_provider_sid) return { service_provider_sid }
    const message = t('missing account_sid or service_provider_sid in query parameters')
    throw invalidField('account_sid', message)
  }
  return accounts.owned(db, scope, requested.account_sid)
}

export const googleCustomVoiceRoutes: Handlers<typeof api.googleCustomVoices> = {
  async list({ query: { speech_credential_sid, label, ...owner }, scope, ctx: { db } }) {
    if (!speech_credential_sid)
      return voices.ofLabel(db, scope, await ownerOf(db, scope, owner), label)
    found(await credentials.findAnywhere(db, scope, speech_credential_sid), t('speech credential'))
    return voices.ofCredential(db, scope, speech_credential_sid)
  },

  view: async ({ params, scope, ctx }) =>
    voices.readable(
      found(await voices.find(ctx.db, scope, params.google_custom_voice_sid), t('custom voice')),
    ),

  async create({ body, ...actor }) {
    const { scope } = actor
    const sid = randomUUID()
    await audited(actor, { ...auditSubject(scope, sid), isNew: true }, async (tx) => {
      const of = await credentials.findAnywhere(tx, scope, body.speech_credential_sid)
      if (!of) throw invalidField('speech_credential_sid', t('Invalid speech_credential_sid'))
      if (!credentials.isOwn(scope, of)) throw insufficient()
      if (of.vendor !== 'google')
        throw invalidField('speech_credential_sid', t('Only Google has custom voices'))
      await voices.insert(tx, { ...body, google_custom_voice_sid: sid })
    })
    return { sid }
  },

  async update({ params: { google_custom_voice_sid: sid }, body, ...actor }) {
    const { scope } = actor
    await audited(actor, auditSubject(scope, sid), async (tx) => {
      await owned(tx, scope, sid)
      const change = definedFields(body)
      if (!isEmpty(change)) await voices.update(tx, scope, sid, change)
    })
  },

  async remove({ params: { google_custom_voice_sid: sid }, ...actor }) {
    const { scope } = actor
    await audited(actor, auditSubject(scope, sid), async (tx) => {
      await owned(tx, scope, sid)
      await voices.remove(tx, scope, sid)
    })
  },

  async uploadKey({ params: { google_custom_voice_sid: sid }, body, ...actor }) {
    const { scope } = actor
    const voice_cloning_key = textIn(body)
    await audited(actor, auditSubject(scope, sid), async (tx) => {
      await owned(tx, scope, sid)
      await voices.update(tx, scope, sid, { voice_cloning_key })
    })
  },
}
