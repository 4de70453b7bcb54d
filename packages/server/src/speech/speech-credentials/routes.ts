import { randomUUID } from 'node:crypto'
import {
  type accountSpeechCredentials,
  CustomName,
  customVendor,
  isCustomVendor,
  labelTaken,
  NOTHING_TO_UPDATE,
  plainError,
  type providerSpeechCredentials,
  type SpeechCredentialCreate,
  type SpeechCredentialUpdate,
  t,
  vendorOf,
} from '@switchroom/contract'
import type { z } from 'zod'
import { audited } from '../../audit/audited.ts'
import type { Actor } from '../../audit/record.ts'
import { sameValue } from '../../audit/unknown-fields.ts'
import { definedFields, isEmpty } from '../../db/defined-fields.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { conflict, Failure, found, invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import * as serviceProviders from '../../tenants/service-providers/queries.ts'
import * as trials from '../speech-trials/queries.ts'
import { type Config, configOf, ROOM, toStore } from '../stored.ts'
import { auditSubject } from './audit-subject.ts'
import * as credentials from './queries.ts'
import { readable } from './readable.ts'
import { changedConfig, newConfig, sentFields } from './settings.ts'

type ActorContext = Actor & { ctx: Context }
type Owner = credentials.Owner

const insufficient = () => new Failure('forbidden', t('Insufficient privileges'))

type RequestedOwner = {
  account_sid?: string | null | undefined
  service_provider_sid?: string | null | undefined
}

/** The owner of a new credential: the account in the path, or the provider with the account in the body. */
async function ownerOf(tx: Db, scope: Scope, owner: Owner, body: RequestedOwner) {
  const account = await ownerIn(tx, scope, owner, body.account_sid)
  for (const field of ['account_sid', 'service_provider_sid'] as const)
    if (body[field] && body[field] !== account[field])
      throw invalidField(field, t('{field} differs from the one in the path', { field }))
  return account
}

async function ownerIn(tx: Db, scope: Scope, owner: Owner, requested: string | null | undefined) {
  if ('account_sid' in owner) {
    const account = await accounts.findVisible(tx, scope, owner.account_sid)
    if (!account) throw new Failure('forbidden', t('insufficient permissions'))
    return account
  }
  if (!(await serviceProviders.find(tx, scope, owner.service_provider_sid))) throw insufficient()
  const account = await accounts.ownerOf(tx, scope, requested)
  if (!account) return { ...owner, account_sid: null }
  if (account.service_provider_sid !== owner.service_provider_sid)
    throw invalidField('account_sid', t('No such account'))
  return account
}

/** The stored vendor name and its descriptor. Throws 422 for unknown vendors. */
function vendorIn(named: string) {
  const vendor = vendorOf(named)
  if (!vendor) throw conflict('vendor', t('invalid or missing vendor: {named}', { named }))
  if (!isCustomVendor(named)) return { stored: named, vendor }
  const name = CustomName.safeParse(named.slice(customVendor('').length), { error: plainError })
  if (!name.success) throw conflict('vendor', name.error.issues[0]!.message)
  return { stored: customVendor(name.data), vendor }
}

const usesOf = (row: { use_for_tts?: unknown; use_for_stt?: unknown }) => ({
  tts: row.use_for_tts === 1,
  stt: row.use_for_stt === 1,
})

/** The sealed credential for the column. Throws 422 if it is too long. */
function sealCredential({ box }: Context, to: { vendor: string; config: Config }, stored?: string) {
  const text = toStore(box, to, stored)
  if (text.length > ROOM) throw conflict('vendor', t('The credential is too long'))
  return text
}

async function create(
  actor: ActorContext,
  owner: Owner,
  body: z.output<typeof SpeechCredentialCreate>,
) {
  const { ctx, scope } = actor
  const sid = randomUUID()
  const { stored: vendor, vendor: descriptor } = vendorIn(body.vendor)
  await audited(actor, { ...auditSubject(ctx, scope, owner, sid), isNew: true }, async (tx) => {
    const { account_sid, service_provider_sid } = await ownerOf(tx, scope, owner, body)
    const label = body.label ?? null
    if (await credentials.isTaken(tx, { account_sid, service_provider_sid, vendor, label }))
      throw conflict('label', labelTaken(label!))
    const config = newConfig(descriptor, usesOf(body), body)
    await credentials.insert(tx, {
      speech_credential_sid: sid,
      account_sid,
      service_provider_sid,
      vendor,
      label,
      credential: sealCredential(ctx, { vendor, config }),
      // omitted means neither true nor false
      use_for_tts: body.use_for_tts ?? null,
      use_for_stt: body.use_for_stt ?? null,
    })
  })
  return { sid }
}

/** A row that the caller may change. Throws 404, and 403 for one that an account may only read. */
async function owned(db: Db, scope: Scope, owner: Owner, sid: string) {
  const row = found(await credentials.find(db, scope, owner, sid), t('speech credential'))
  if (!credentials.isOwn(scope, row)) throw insufficient()
  return row
}

const FIXED = ['vendor', 'label', 'account_sid', 'service_provider_sid'] as const

/** Vendor, label and owner cannot change, but may be sent unchanged. Throws 400 otherwise. */
function refuseMoves(
  row: credentials.Row,
  path: Owner,
  below: RequestedOwner,
  body: Record<string, unknown>,
) {
  for (const field of FIXED) {
    if (body[field] === undefined || sameValue(body[field], row[field])) continue
    // clients send the provider they work in, whatever the row has
    const here = field === 'service_provider_sid' && sameValue(body[field], below[field])
    // and the account, for a row without an owner
    const isOwnAccount = field === 'account_sid' && !row[field] && 'account_sid' in path
    if (!here && !(isOwnAccount && sameValue(body[field], path.account_sid)))
      throw invalidField(field, t('{field} may not be modified', { field }))
  }
}

async function update(
  actor: ActorContext,
  owner: Owner,
  sid: string,
  body: z.output<typeof SpeechCredentialUpdate>,
) {
  const { ctx, scope } = actor
  await audited(actor, auditSubject(ctx, scope, owner, sid), async (tx) => {
    const row = await owned(tx, scope, owner, sid)
    const vendor = vendorOf(row.vendor)
    const { use_for_tts, use_for_stt, mode } = body
    const settings = vendor ? Object.keys(sentFields(vendor, body)) : []
    const says = [use_for_tts, use_for_stt, mode ?? undefined].some((v) => v !== undefined)
    if (!says && settings.length === 0) throw conflict('use_for_tts', NOTHING_TO_UPDATE)
    refuseMoves(row, owner, await ownerIn(tx, scope, owner, row.account_sid), body)
    const uses = definedFields({ use_for_tts, use_for_stt })
    const before = { uses: usesOf(row), config: configOf(ctx.box, row) }
    const config = vendor && changedConfig(vendor, before, usesOf({ ...row, ...uses }), body)
    const change = {
      ...uses,
      ...(config && {
        credential: sealCredential(ctx, { vendor: row.vendor, config }, row.credential),
      }),
    }
    if (!isEmpty(change)) await credentials.update(tx, scope, sid, change)
  })
}

async function view({ ctx, scope }: ActorContext, owner: Owner, sid: string) {
  const row = await owned(ctx.db, scope, owner, sid)
  return readable(ctx.box, row, (await trials.lastResults(ctx.db, [row])).get(sid))
}

async function remove(actor: ActorContext, owner: Owner, sid: string) {
  const { ctx, scope } = actor
  await audited(actor, auditSubject(ctx, scope, owner, sid), async (tx) => {
    await owned(tx, scope, owner, sid)
    await credentials.remove(tx, scope, sid)
  })
}

export const accountSpeechCredentialRoutes: Handlers<typeof accountSpeechCredentials> = {
  async list({ params: { account_sid }, query, scope, ctx }) {
    found(await accounts.findVisible(ctx.db, scope, account_sid), t('account'))
    return credentials.list(ctx, scope, { account_sid }, query)
  },
  create: ({ params: { account_sid }, body, ...actor }) => create(actor, { account_sid }, body),
  view: ({ params: { account_sid, speech_credential_sid }, ...actor }) =>
    view(actor, { account_sid }, speech_credential_sid),
  update: ({ params: { account_sid, speech_credential_sid }, body, ...actor }) =>
    update(actor, { account_sid }, speech_credential_sid, body),
  remove: ({ params: { account_sid, speech_credential_sid }, ...actor }) =>
    remove(actor, { account_sid }, speech_credential_sid),
}

export const providerSpeechCredentialRoutes: Handlers<typeof providerSpeechCredentials> = {
  async list({ params: { service_provider_sid }, query, scope, ctx }) {
    const provider = await serviceProviders.find(ctx.db, scope, service_provider_sid)
    found(provider, t('service provider'))
    return credentials.list(ctx, scope, { service_provider_sid }, query)
  },
  create: ({ params: { service_provider_sid }, body, ...actor }) =>
    create(actor, { service_provider_sid }, body),
  view: ({ params: { service_provider_sid, speech_credential_sid }, ...actor }) =>
    view(actor, { service_provider_sid }, speech_credential_sid),
  update: ({ params: { service_provider_sid, speech_credential_sid }, body, ...actor }) =>
    update(actor, { service_provider_sid }, speech_credential_sid, body),
  remove: ({ params: { service_provider_sid, speech_credential_sid }, ...actor }) =>
    remove(actor, { service_provider_sid }, speech_credential_sid),
}
