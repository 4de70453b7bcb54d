import { type GoogleCustomVoice, type Issue, t } from '@switchroom/contract'

/** Form values of a custom voice. */
export type VoiceValues = {
  /** The React key. */
  key: string
  /** Missing for a new voice. */
  sid?: string
  name: string
  reported_usage: NonNullable<GoogleCustomVoice['reported_usage']>
  use_voice_cloning_key: boolean
  model: string
  /** A newly chosen key; undefined keeps the stored one. */
  voice_cloning_key: string | undefined
  /** The first characters of the stored key, to recognize it. */
  preview?: string
}

export const LAST_VOICE = t('You must provide at least one custom voice.')

export const blankVoice = (): VoiceValues => ({
  key: crypto.randomUUID(),
  name: '',
  reported_usage: 'REALTIME',
  use_voice_cloning_key: false,
  model: '',
  voice_cloning_key: undefined,
})

export const voiceValues = (v: GoogleCustomVoice): VoiceValues => ({
  key: v.google_custom_voice_sid,
  sid: v.google_custom_voice_sid,
  name: v.name,
  reported_usage: v.reported_usage ?? 'REALTIME',
  use_voice_cloning_key: v.use_voice_cloning_key === 1,
  model: v.model,
  voice_cloning_key: undefined,
  ...(v.voice_cloning_key && { preview: v.voice_cloning_key }),
})

const PREVIEW = 100

/** The beginning of a key, which has some 200 kB. */
export const previewOf = (key: string) =>
  key.length > PREVIEW ? `${key.slice(0, PREVIEW)}...` : key

/** Issues of the rows below `path`. */
export function voiceIssues(rows: readonly VoiceValues[], path: Issue['path']): Issue[] {
  if (rows.length === 0) return [{ path, message: LAST_VOICE }]
  return rows.flatMap((row, i) => {
    const missing = (field: string, message = t('Required')) => ({
      path: [...path, i, field],
      message,
    })
    return [
      ...(row.name.trim() ? [] : [missing('name')]),
      ...(row.use_voice_cloning_key || row.model.trim() ? [] : [missing('model')]),
      ...(!row.use_voice_cloning_key || row.voice_cloning_key || row.preview
        ? []
        : [missing('voice_cloning_key', t('Choose a key file'))]),
    ]
  })
}
