import { looksLikeKey, type RequestBody } from '@switchroom/contract'
import { secretValues } from '../../applications/secret-values.ts'
import { maskedUrls, normalize, secretsOfUrl } from '../../secrets/without-secrets.ts'
import { keptBody, masker, secretMasker } from '../../tenants/webhook-log/kept-text.ts'
import { basicOf } from '../../tenants/webhooks/headers.ts'
import type { RunApplication } from './run-application.ts'

/** Most bytes kept of one body. */
const BODY_BYTES = 16_384

/** Members that hold names of ours, in which nothing is masked. */
const OURS = new Set([
  'kind',
  'name',
  'verb',
  'method',
  'side',
  'by',
  'tone',
  'type',
  'answers',
  'at',
])

/** The secrets of an application, and those in its URLs: nobody may read them. */
export function secretsOf({
  call_hook,
  call_status_hook,
  webhook_secret,
  env_vars,
}: RunApplication) {
  const hooks = [call_hook, call_status_hook].flatMap((hook) => hook ?? [])
  return [
    webhook_secret,
    ...hooks.flatMap((hook) => [hook.password, basicOf(hook), ...secretsOfUrl(hook.url)]),
    ...secretValues(env_vars ?? {}),
    ...Object.values(env_vars ?? {}).filter(looksLikeKey),
  ].filter((secret) => typeof secret === 'string')
}

/** Masks the secrets of an application in the stored data of a run. */
export function runMasks(application: RunApplication, kept_bytes: number) {
  const secrets = secretsOf(application)
  const plain = (text: string) => maskedUrls(secretMasker(secrets)(text))
  const maskAll = masker(secrets)
  let left = kept_bytes
  return {
    text: plain,
    /** A step without secrets in its texts. Secrets in bodies are masked by `body`. */
    step: <S extends object>(step: S): S => plainMembers(step, plain) as S,
    /** Unlike the log, a run shows which keys were pressed: its tester knows. */
    body(text: string, bytes = Buffer.byteLength(text)): RequestBody {
      const shown = keptBody(
        text,
        (all) => plainBody(all, plain) ?? maskAll(all),
        bytes,
        Math.min(BODY_BYTES, left),
      )
      left -= Buffer.byteLength(shown.text)
      return shown
    },
  }
}

function plainMembers(value: unknown, plain: (text: string) => string): unknown {
  if (typeof value === 'string') return plain(value)
  if (Array.isArray(value)) return value.map((one) => plainMembers(one, plain))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      OURS.has(key) ? one : plainMembers(one, plain),
    ]),
  )
}

/** Undefined if it is not JSON, or nested too deeply to be anything. */
function plainBody(text: string, plain: (text: string) => string) {
  try {
    const parsed: unknown = JSON.parse(text)
    const shown = JSON.stringify(normalize(parsed, '', plain))
    return shown === JSON.stringify(parsed) ? text : shown
  } catch {
    return undefined
  }
}
