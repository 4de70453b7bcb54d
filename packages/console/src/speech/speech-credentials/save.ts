import { type GoogleCustomVoice, t } from '@switchroom/contract'
import { upload } from '../../lib/answers'
import { queryClient, send } from '../../lib/api'
import { googleCustomVoices, type Sent } from '../../lib/endpoints'
import { type Created, messageOf } from '../../lib/failure'
import { PartlySaved } from '../../lib/partly-saved'
import type { SpeechApi } from './speech-api'
import type { VoiceValues } from './voice-values'

type Credentials = SpeechApi['credentials']

/** Creates a credential, then its custom voices one by one. `unsaved` says which voices failed. */
export async function createCredential(
  of: Credentials,
  { params, body }: Sent<Credentials['create']>,
  voices: readonly VoiceValues[],
): Promise<Created> {
  const { sid } = await send(of.create, { params, body })
  try {
    await saveVoices(sid, voices, [])
  } catch (e) {
    return { sid, unsaved: messageOf(e) }
  }
  return { sid }
}

/** Throws `PartlySaved` if the credential was saved, but not all of its voices. */
export async function updateCredential(
  of: Credentials,
  sent: Sent<Credentials['update']>,
  voices: readonly VoiceValues[],
  stored: readonly GoogleCustomVoice[],
) {
  const reply = await send(of.update, sent)
  await saveVoices(sent.params.speech_credential_sid, voices, stored)
  return reply
}

const isUnchanged = (voice: VoiceValues, old: GoogleCustomVoice | undefined) =>
  old !== undefined &&
  old.name === voice.name.trim() &&
  old.model === modelOf(voice) &&
  (old.reported_usage ?? 'REALTIME') === voice.reported_usage &&
  (old.use_voice_cloning_key === 1) === voice.use_voice_cloning_key

const modelOf = (v: VoiceValues) => (v.use_voice_cloning_key ? '' : v.model.trim())

async function saveVoices(
  speech_credential_sid: string,
  voices: readonly VoiceValues[],
  stored: readonly GoogleCustomVoice[],
) {
  const done: string[] = [t('the credential')]
  const step = async <R>(what: string, work: () => Promise<R>) => {
    try {
      const result = await work()
      done.push(what)
      return result
    } catch (e) {
      // saving again continues with what is stored by now
      await queryClient.invalidateQueries()
      throw new PartlySaved(
        t('Saved: {done}. Not saved: {what} and everything after it. {message}', {
          done: done.join(', '),
          what,
          message: messageOf(e),
        }),
      )
    }
  }
  const kept = new Set(voices.map((v) => v.sid))
  for (const { google_custom_voice_sid, name } of stored)
    if (!kept.has(google_custom_voice_sid))
      await step(t('the deletion of custom voice {name}', { name }), () =>
        send(googleCustomVoices.remove, { params: { google_custom_voice_sid } }),
      )
  for (const voice of voices) {
    const sid = await saveVoice(speech_credential_sid, voice, stored, step)
    const { voice_cloning_key: key, name } = voice
    if (voice.use_voice_cloning_key && key)
      await step(t('the cloning key of custom voice {name}', { name: name.trim() }), () =>
        upload(
          googleCustomVoices.uploadKey,
          { params: { google_custom_voice_sid: sid } },
          new File([key], 'voice-cloning-key.txt', { type: 'text/plain' }),
        ),
      )
  }
}

type Step = <R>(what: string, work: () => Promise<R>) => Promise<R>

/** Resolves to the voice's sid. */
async function saveVoice(
  speech_credential_sid: string,
  voice: VoiceValues,
  stored: readonly GoogleCustomVoice[],
  step: Step,
): Promise<string> {
  const body = {
    name: voice.name.trim(),
    reported_usage: voice.reported_usage,
    use_voice_cloning_key: voice.use_voice_cloning_key ? 1 : 0,
    model: modelOf(voice),
  } as const
  const what = t('custom voice {name}', { name: body.name })
  const { sid } = voice
  if (sid === undefined) {
    const created = await step(what, () =>
      send(googleCustomVoices.create, { body: { ...body, speech_credential_sid } }),
    )
    return created.sid
  }
  const old = stored.find((v) => v.google_custom_voice_sid === sid)
  if (!isUnchanged(voice, old))
    await step(what, () =>
      send(googleCustomVoices.update, { params: { google_custom_voice_sid: sid }, body }),
    )
  return sid
}
