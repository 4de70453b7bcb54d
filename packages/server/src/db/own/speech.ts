import type { UseResult } from '@switchroom/contract'

export type SpeechTables = {
  /** The latest test result of a speech credential. `fingerprint` identifies the credential's version. */
  switchroom_speech_tests: {
    speech_credential_sid: string
    fingerprint: string
    /** ISO 8601, UTC. */
    at: string
    is_real: number
    tts_status: UseResult['status']
    tts_reason: string | null
    stt_status: UseResult['status']
    stt_reason: string | null
  }
  /** Speech catalogues as last fetched with a credential, as JSON. */
  switchroom_speech_catalogues: {
    speech_credential_sid: string
    fingerprint: string
    /** ISO 8601, UTC. */
    fetched_at: string
    catalogue: string
  }
  /** Language models of accounts, which play callers and grade runs. */
  switchroom_language_models: {
    account_sid: string
    url: string
    model: string
    /** Encrypted. */
    sealed_key: string | null
  }
}
