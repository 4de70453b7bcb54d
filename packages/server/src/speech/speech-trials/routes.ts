import { type api, type Received, type Sound, t, vendorOf } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { conflict, Failure, found, invalidField } from '../../http/failure.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import * as accounts from '../../tenants/accounts/queries.ts'
import type { Sentence } from '../protocol.ts'
import * as credentials from '../speech-credentials/queries.ts'
import { fingerprint } from '../stored.ts'
import { countCall, oneOfFew } from './limits.ts'
import * as trials from './queries.ts'
import { recognizeWith, synthesizeWith, toPlatformSound } from './run-vendor.ts'
import { testCredential } from './trial.ts'

type Caller = { scope: Scope; ctx: Context }
type Trials = typeof api.providerSpeechTrials
type HandlerInput<E extends keyof Trials> = Omit<Received<Trials[E]>, 'params'> &
  Caller & { params: { speech_credential_sid: string } }
type AskedOnPlatform = Omit<Received<typeof api.accountSpeechTrials.synthesise>, 'params'> & Caller

const rowOf = async ({ db }: Context, scope: Scope, owner: credentials.Owner, sid: string) =>
  found(await credentials.find(db, scope, owner, sid), t('speech credential'))

const CUSTOM = /^custom_(.+)$/

/** The sentence for the vendor. Throws 422 for a custom voice that is incomplete or of another credential. */
async function resolveTrial(
  db: Context['db'],
  row: credentials.Row,
  sentence: Sentence,
): Promise<Sentence> {
  const [, sid] = (vendorOf(row.vendor)?.customVoices && CUSTOM.exec(sentence.voice)) || []
  if (!sid) return sentence
  const voice = await trials.customVoice(db, row.speech_credential_sid, sid)
  if (!voice) throw conflict('voice', t('No such custom voice'))
  const { model, reported_usage, use_voice_cloning_key, voice_cloning_key } = voice
  if (use_voice_cloning_key) {
    if (!voice_cloning_key) throw conflict('voice', t('This custom voice has no cloning key yet'))
    return { ...sentence, custom: { cloning_key: voice_cloning_key } }
  }
  if (!model) throw conflict('voice', t('This custom voice has no model yet'))
  return { ...sentence, custom: { model, reported_usage: reported_usage ?? 'REALTIME' } }
}

const asBody = ({ type, bytes }: { type: string; bytes: Buffer }): Sound => ({
  type,
  bytes: new Uint8Array(bytes),
})

async function test(owner: credentials.Owner, { params, query, scope, ctx }: HandlerInput<'test'>) {
  const row = await rowOf(ctx, scope, owner, params.speech_credential_sid)
  const real = query.real === 1
  if (real) await countCall(ctx.live, scope)
  const key = `${row.speech_credential_sid} ${fingerprint(row)} ${row.use_for_tts}${row.use_for_stt} ${real}`
  return oneOfFew(ctx, scope, () =>
    ctx.memory.speechTests(key, async () => {
      const result = await testCredential(ctx, row, real)
      await trials.remember(ctx.db, row, result, real)
      return result
    }),
  )
}

async function speak(
  owner: credentials.Owner,
  { params, body, scope, ctx }: HandlerInput<'speak'>,
) {
  const row = await rowOf(ctx, scope, owner, params.speech_credential_sid)
  const sentence = await resolveTrial(ctx.db, row, body)
  await countCall(ctx.live, scope)
  return asBody(await oneOfFew(ctx, scope, () => synthesizeWith(ctx, row, sentence)))
}

async function recognize(
  owner: credentials.Owner,
  { params, body, scope, ctx }: HandlerInput<'recognize'>,
) {
  const row = await rowOf(ctx, scope, owner, params.speech_credential_sid)
  const { recordingOf } = await import('./recording.ts')
  const recording = { ...recordingOf(body.wav), language: body.language }
  await countCall(ctx.live, scope)
  return { text: await oneOfFew(ctx, scope, () => recognizeWith(ctx, row, recording)) }
}

/** The account if it is active. Throws as the platform does: 403 for other accounts, 400 for missing ones. */
async function activeAccount({ db }: Context, scope: Scope, sid: string) {
  const account = await accounts.stored(db, scope, sid)
  if (!account && scope.role !== 'admin')
    throw new Failure('forbidden', t('insufficient permissions'))
  if (!account?.is_active)
    throw invalidField('account_sid', t('Account not found for sid {sid}', { sid }))
}

/** The platform's own endpoint: uses a credential of the account or its provider. */
async function synthesise(account_sid: string, { body, scope, ctx }: AskedOnPlatform) {
  await activeAccount(ctx, scope, account_sid)
  const { speech_credential_sid: sid, encodingMp3, text, language, voice, engine } = body
  const row = await credentials.find(ctx.db, scope, { account_sid }, sid)
  if (!row)
    throw invalidField(
      'speech_credential_sid',
      t('There is no available speech credential for {sid}', { sid }),
    )
  const sentence = await resolveTrial(ctx.db, row, { text, language, voice, engine })
  await countCall(ctx.live, scope)
  const sound = await oneOfFew(ctx, scope, () => synthesizeWith(ctx, row, sentence))
  return asBody(await toPlatformSound(row.vendor, sound, encodingMp3 === 1))
}

export const accountSpeechTrialRoutes: Handlers<typeof api.accountSpeechTrials> = {
  test: (input) => test({ account_sid: input.params.account_sid }, input),
  speak: (input) => speak({ account_sid: input.params.account_sid }, input),
  recognize: (input) => recognize({ account_sid: input.params.account_sid }, input),

  synthesise: (input) => synthesise(input.params.account_sid, input),
  synthesiseAnywhere: (input) => synthesise(input.body.account_sid, input),
}

const providerOf = ({ params }: { params: { service_provider_sid: string } }) => ({
  service_provider_sid: params.service_provider_sid,
})

export const providerSpeechTrialRoutes: Handlers<typeof api.providerSpeechTrials> = {
  test: (input) => test(providerOf(input), input),
  speak: (input) => speak(providerOf(input), input),
  recognize: (input) => recognize(providerOf(input), input),
}
