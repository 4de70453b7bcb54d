import {
  type RunStep,
  SPEAK_MAX_CHARACTERS,
  type SpeechCredentialItem,
  t,
  vendorOf,
} from '@switchroom/contract'
import { credentialFor, vendorName } from '../../applications/speech-choices'
import { isSsml, spokenText } from './spoken-text'

export type Prompt = Extract<RunStep, { kind: 'said' }>

type Spoken = {
  speech_credential_sid: string
  sentence: { text: string; language: string; voice: string }
}
/** `isMissing`: the account lacks the credential. */
export type PromptVoice = Spoken | { problem: string; isMissing?: true }

/** With what a prompt can be heard, or why it cannot. */
export function promptVoice(
  { text, vendor, label, language, voice }: Prompt,
  credentials: readonly SpeechCredentialItem[],
  account_sid: string,
): PromptVoice {
  if (text === null) return { problem: t('Streamed speech cannot be heard here.') }
  if (!vendor || !voice)
    return { problem: t('Neither the verb nor the application names a vendor and a voice.') }
  const credential = credentialFor(credentials, {
    vendor,
    label: label ?? '',
    account_sid,
    use: 'tts',
  })
  if (!credential)
    return {
      isMissing: true,
      problem: label
        ? t('No speech service for {vendor} with the label {label}.', {
            vendor: vendorName(vendor),
            label,
          })
        : t('No speech service for {vendor}.', { vendor: vendorName(vendor) }),
    }
  const asIs = isSsml(text) && vendorOf(vendor)?.speaking?.ssml
  const sent = asIs ? text.trim() : spokenText(text).trim()
  if (sent.length > SPEAK_MAX_CHARACTERS)
    return {
      problem: t('Too long to hear: at most {max} characters.', { max: SPEAK_MAX_CHARACTERS }),
    }
  if (sent === '') return { problem: t('There is nothing to hear.') }
  return {
    speech_credential_sid: credential.speech_credential_sid,
    sentence: { text: sent, language: language || 'en-US', voice },
  }
}
