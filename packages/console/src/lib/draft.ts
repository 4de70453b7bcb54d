import { claims } from './session'

type Base = { values: object; version: string | undefined }
type Draft = {
  user_sid: string
  values: Record<string, unknown>
  /** What the edit was begun from. */
  base: Base
  lacksSecrets: boolean
}

// a secret that was typed is not written down; it has to be typed again
const SECRET = /password|secret|token|credential|_key$|^key$|connection_string|^env_vars$/i

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !SECRET.test(key))
      .map(([key, v]) => [key, withoutSecrets(v)]),
  )
}

/** Puts what was typed away for as long as this tab lives, for the same user at the same place. */
export function keepDraft(place: string, values: object, base: Base) {
  const user_sid = claims()?.user_sid
  if (!user_sid) return
  const kept = withoutSecrets(values) as Draft['values']
  const lacksSecrets = JSON.stringify(kept) !== JSON.stringify(values)
  const from = { ...base, values: withoutSecrets(base.values) as object }
  const draft: Draft = { user_sid, values: kept, base: from, lacksSecrets }
  sessionStorage.setItem(`draft:${place}`, JSON.stringify(draft))
}

/** Merged over the form's values as they are now; undefined when there is none, or somebody else's. */
export function takeDraft<T extends object>(place: string, now: T) {
  const stored = sessionStorage.getItem(`draft:${place}`)
  sessionStorage.removeItem(`draft:${place}`)
  if (!stored) return undefined
  const draft = JSON.parse(stored) as Draft
  if (draft.user_sid !== claims()?.user_sid) return undefined
  return {
    values: merge(now, draft.values) as T,
    base: { ...draft.base, values: merge(now, draft.base.values) as T },
    lacksSecrets: draft.lacksSecrets,
  }
}

function merge(now: unknown, then: unknown): unknown {
  const plain = (v: unknown): v is Record<string, unknown> =>
    typeof v === 'object' && v !== null && !Array.isArray(v)
  if (!plain(now) || !plain(then)) return then
  return {
    ...now,
    ...Object.fromEntries(Object.entries(then).map(([k, v]) => [k, merge(now[k], v)])),
  }
}
