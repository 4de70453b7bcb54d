import { isSecretName } from '@switchroom/contract'
import { isRecord } from './records'
import { claims } from './session'
import { storageEntry } from './storage-entry'

type Base = { values: object; version: string | undefined }
type Draft = {
  user_sid: string
  values: Record<string, unknown>
  /** The stored values and version that the edit started from. */
  base: Base
  lacksSecrets: boolean
}

// secrets are not stored; they have to be typed again
const withoutSecrets = (values: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([key]) => !isSecretName(key))
      .map(([key, value]) => [key, plain(value)]),
  )

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  return isRecord(value) ? withoutSecrets(value) : value
}

const draftEntry = (place: string) => storageEntry<Draft>(() => sessionStorage, `draft:${place}`)

/** Keeps unsaved form values in this tab, for the same user and page. */
export function saveDraft(place: string, values: object, base: Base) {
  const user_sid = claims()?.user_sid
  if (!user_sid) return
  const kept = withoutSecrets(values)
  const lacksSecrets = JSON.stringify(kept) !== JSON.stringify(values)
  const from = { ...base, values: withoutSecrets(base.values) }
  const draft: Draft = { user_sid, values: kept, base: from, lacksSecrets }
  draftEntry(place).set(draft)
}

/** Takes the draft, merged over the current values; undefined if there is none, or another user's. */
export function takeDraft<T extends object>(place: string, now: T) {
  const draft = draftEntry(place).read()
  draftEntry(place).remove()
  if (draft?.user_sid !== claims()?.user_sid || !draft) return undefined
  // both are values of the same form
  const over = (then: object) => merge(now, then) as T
  return {
    values: over(draft.values),
    base: { ...draft.base, values: over(draft.base.values) },
    lacksSecrets: draft.lacksSecrets,
  }
}

function merge(now: unknown, then: unknown): unknown {
  if (!isRecord(now) || !isRecord(then)) return then
  return {
    ...now,
    ...Object.fromEntries(Object.entries(then).map(([k, v]) => [k, merge(now[k], v)])),
  }
}
