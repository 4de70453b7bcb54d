import { type Issue, isSet, type Vendor } from '@switchroom/contract'
import { Failure } from '../http/failure.ts'

/** What the platform's own server calls a vendor, where it is not its id. */
const NAMES: Record<string, string> = {
  microsoft: 'azure',
  deepgramflux: 'deepgram flux',
  elevenlabs: 'elevenLabs',
}

/** Its sentences that do not follow the others. */
const TEXTS: Record<string, (missing: boolean) => string> = {
  google: (missing) =>
    missing
      ? 'invalid json key: service_key is required'
      : 'invalid google service account key - not JSON',
  nuance: () =>
    'invalid nuance speech credential: either entered client id and        secret or entered a nuance_tts_uri or nuance_stt_uri',
  nvidia: () => 'invalid riva server uri: riva_server_uri is required',
}

/** The sentence that clients of the platform know for a missing member, or the issue's own. */
function sentence(vendor: Vendor, config: Record<string, unknown>, issue: Issue): string {
  const field = String(issue.path[0])
  const missing = !isSet(config[field])
  const own = TEXTS[vendor.id]
  if (own && (missing || field === 'service_key')) return own(missing)
  // a name of its own is part of a custom vendor, and its rules are ours
  return missing && vendor.id !== 'custom'
    ? `invalid ${NAMES[vendor.id] ?? vendor.id} speech credential: ${field} is required`
    : issue.message
}

/** Refuses settings: every input at fault is named, the first in the platform's words. */
export const refusal = (vendor: Vendor, config: Record<string, unknown>, issues: Issue[]) =>
  new Failure('conflict', sentence(vendor, config, issues[0]!), { issues })
