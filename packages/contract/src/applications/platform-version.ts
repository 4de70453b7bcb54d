import { t } from '../wire/text.ts'

/** The version of the platform whose rules for applications hold where no other is set or seen. */
export const PLATFORM_VERSION = '0.9.8'

/** The latest version of which anything is known. */
export const NEWEST_PLATFORM = '11.1.0'

/** True if `version` is `least` or later. */
export function isAtLeast(version: string, least: string): boolean {
  const [a, b] = [version, least].map((one) => one.split('.').map(Number))
  const at = a!.findIndex((part, i) => part !== b![i])
  return at < 0 || a![at]! > (b![at] ?? 0)
}

type Newer = {
  /** The first version that knows it; null for one after `PLATFORM_VERSION` that is not known. */
  from: string | null
  /** The verb, and vendor, that this is an alias of. */
  is?: [verb: string, vendor?: string]
  required?: readonly string[]
}

/** Verbs that are newer than `PLATFORM_VERSION`. `verb-versions.test.ts` compares them with the platform's schema. */
export const NEWER_VERBS: Readonly<Record<string, Newer>> = {
  agent: { from: '10.1.0' },
  gptlive_s2s: { from: '11.1.0', is: ['llm', 'gptlive'], required: ['auth', 'llmOptions'] },
  qwen_s2s: { from: null, is: ['llm', 'qwen'], required: ['llmOptions'] },
  room: { from: null, is: ['conference'], required: ['name'] },
  transfer: { from: '10.3.0', required: ['mode', 'target'] },
}

/** Members that are newer than `PLATFORM_VERSION`, by verb or part of one. From which version on is not known. */
export const NEWER_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  conference: ['stream'],
  dial: ['codecs'],
  dialogflow: ['deployment', 'sessionId', 'toolHook'],
  googleOptions: ['customVocabulary', 'mode'],
  houndifyOptions: ['eoqThreshold', 'vadStopThreshold'],
  llm: ['cancelOnBargeIn', 'cancelOnResponseTimeout', 'handoff', 'hangup', 'responseTimeoutMs'],
  openaiOptions: ['delay', 'keywords', 'languages', 'vadMode', 'vadSilenceMs', 'vadVoiceMs'],
  recognizer: ['modulateOptions', 'xaiOptions'],
  sonioxOptions: [
    'context',
    'enableLanguageIdentification',
    'enableSpeakerDiarization',
    'endpointSensitivity',
    'languageHints',
    'maxEndpointDelayMs',
    'maxNonFinalTokensDurationMs',
  ],
  speechmaticsOptions: ['audio_events_config'],
  transcribe: ['enable'],
}

/** True if a version is newer than `PLATFORM_VERSION`, whose rules are known best. */
export const isNewer = (version: string) =>
  version !== PLATFORM_VERSION && isAtLeast(version, PLATFORM_VERSION)

/** True if a version of the platform knows a verb that is newer than `PLATFORM_VERSION`. */
export const knowsVerb = (name: string, version: string) => {
  const newer = newerVerb(name)
  if (!newer) return false
  return newer.from === null ? isNewer(version) : isAtLeast(version, newer.from)
}
export const newerVerb = (name: string) =>
  Object.hasOwn(NEWER_VERBS, name) ? NEWER_VERBS[name] : undefined

/** Why a version refuses a verb that later ones know; undefined if none of them do. */
export function newerSentence(verb: string, version: string): string | undefined {
  const newer = newerVerb(verb)
  if (!newer || knowsVerb(verb, version)) return undefined
  return newer.from === null
    ? t('{verb} is newer than version {version} of the platform, whose rules hold here.', {
        verb,
        version,
      })
    : t(
        'The platform supports {verb} from version {from}. The rules of version {version} apply here.',
        {
          verb,
          from: newer.from,
          version,
        },
      )
}
