import { existsSync } from 'node:fs'
import {
  type ConfigOf,
  isKeyOf,
  type SpeechCatalogue,
  type Use,
  type Vendor,
  type VendorId,
  vendorOf,
  vendors,
} from '@switchroom/contract'
import type { Outbound } from '../outbound/outbound.ts'

/** Audio as a vendor sent it. */
export type Sound = { type: 'audio/mpeg' | 'audio/wav' | 'audio/ogg'; bytes: Buffer }

/** The text to synthesize. Language and voice are the vendor's own codes. */
export type Sentence = {
  text: string
  language: string
  voice: string
  /** For vendors with several engines: standard, neural, long-form or generative. */
  engine?: string | undefined
  /** A custom voice, in place of `voice`. */
  custom?: CustomVoice
}

/** A trained model, or the key of a cloned voice. */
export type CustomVoice = { model: string; reported_usage: string } | { cloning_key: string }

/** Audio to recognize: mono, 16 bit, little endian. */
export type Recording = { pcm: Buffer; rate: 8000 | 16000; language: string }

/**
 * The calls to a vendor's API, in the file of its id in vendors/. A missing member is a feature that is not
 * offered. All take the stored credential by field names, connect only through `out`, keep the limits below, and
 * throw `Refused` with the vendor's reason.
 */
export type Protocol<V extends Vendor = Vendor> = {
  /** A free call that verifies the credential for this use. */
  probe?: { [U in Use]?: (config: ConfigOf<V>, out: Outbound) => Promise<void> }
  /** Voices and languages that the vendor offers for this credential now. Never from built-in lists. */
  catalogue?: (config: ConfigOf<V>, out: Outbound) => Promise<SpeechCatalogue>
  /** A built-in list of languages and voices, used if the vendor cannot be reached. */
  fallback?: SpeechCatalogue
  /** The platform returns its raw samples without conversion. */
  raw?: true
  speak?: (config: ConfigOf<V>, sentence: Sentence, out: Outbound) => Promise<Sound>
  recognize?: (config: ConfigOf<V>, recording: Recording, out: Outbound) => Promise<string>
}

/** Identity, but it checks the protocol against its vendor. */
export const protocol = <const V extends Vendor>(_: V, p: Protocol<V>): Protocol<V> => p

/** Thrown when a vendor rejects a call or is unreachable. The message is for users and has no secrets. */
export class Refused extends Error {
  override name = 'Refused'
  /** Status of the vendor's response; undefined if there was no response, or it has no status. */
  status: number | undefined
  constructor(message: string, { status, ...options }: ErrorOptions & { status?: number } = {}) {
    super(message, options)
    this.status = status
  }
}

/** Limits of one call to a vendor. */
export const LIMITS = {
  probe: { timeout_ms: 10_000, max_bytes: 1_000_000 },
  catalogue: { timeout_ms: 15_000, max_bytes: 10_000_000 },
  speak: { timeout_ms: 20_000, max_bytes: 10_000_000 },
  recognize: { timeout_ms: 30_000, max_bytes: 1_000_000 },
} as const
export type Call = keyof typeof LIMITS

const fileOf = (id: VendorId) => new URL(`./vendors/${id}.ts`, import.meta.url)
const nothing: Protocol = {}

/** The id of a vendor; undefined for unknown names. All custom vendors share one. */
export function vendorId(vendor: string): VendorId | undefined {
  if (isKeyOf(vendors, vendor)) return vendor
  const id = vendorOf(vendor)?.id
  return id !== undefined && isKeyOf(vendors, id) ? id : undefined
}

/** The protocol of a vendor, from the file of its name. Loaded on first use. */
export async function protocolOf(id: VendorId): Promise<Protocol> {
  if (!existsSync(fileOf(id))) return nothing
  const exported: Record<string, Protocol> = await import(`./vendors/${id}.ts`)
  return exported[id] ?? nothing
}
