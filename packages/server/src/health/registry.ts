import type { HealthPart, HealthPartName, HealthState } from '@switchroom/contract'

export type Health = {
  /**
   * Reports the state of a part. The sentence says what is wrong, or what is known while it is ok; it
   * must name no secret.
   */
  report: (part: HealthPartName, state: HealthState, sentence?: string) => void
  /** What has been reported. A part that is not in use here never reports. */
  parts: () => HealthPart[]
}

const MAX_SENTENCE = 300

/** Keeps the latest report of each part, and since when its state has been what it is. */
export function health(now: () => number = Date.now): Health {
  const parts = new Map<HealthPartName, HealthPart>()
  return {
    report(part, state, said) {
      const at = new Date(now()).toISOString()
      const before = parts.get(part)
      const sentence = said === undefined ? null : withoutCredentials(said).slice(0, MAX_SENTENCE)
      parts.set(part, {
        part,
        state,
        since: before?.state === state ? before.since : at,
        sentence,
        last_error:
          state === 'ok' ? (before?.last_error ?? null) : { at, sentence: sentence ?? 'Failed' },
        checked_at: at,
      })
    },
    parts: () => [...parts.values()],
  }
}

/** Libraries quote the URL that failed, with its credentials and query. */
const withoutCredentials = (sentence: string) =>
  sentence
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi, '$1')
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/[^\s?]+)\?\S*/gi, '$1')
