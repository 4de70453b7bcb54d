import { existsSync } from 'node:fs'
import type { ConfigOf, SpeechCatalogue, Use, Vendor } from '@switchroom/contract'
import { type VendorId, vendorOf, vendors } from '@switchroom/contract'
import type { Outbound } from '../outbound/outbound.ts'

/** Audio as a vendor sent it. */
export type Sound = { type: 'audio/mpeg' | 'audio/wav' | 'audio/ogg'; bytes: Buffer }

/** The text to synthesize. Language and voice are the vendor's own codes. */
export type Sentence = {
  text: string
  language: string
  voice: string
  /** Of a vendor that has several: standard, neural, long-form or generative. */
  engine?: string | undefined
  /** A voice of the customer's own, in place of `voice`. */
  custom?: CustomVoice
}

/** A model that the vendor trained, or the key of a voice that it cloned. */
export type CustomVoice = { model: string; reported_usage: string } | { cloning_key: string }

/** Audio to recognize: mono, 16 bit, little endian. */
export type Recording = { pcm: Buffer; rate: 8000 | 16000; language: string }

/**
 * How one vendor is spoken to, in a file of its own in vendors/, of the vendor's id. Everything may be left
 * out: what is missing is not offered. All of them take the credential as it is stored, by its field names,
 * go out through `out` only, end within the time limits below, and throw `Refused` with the vendor's reason.
 */
export type Protocol<V extends Vendor = Vendor> = {
  /** A free call that proves the credential for this use. */
  probe?: { [U in Use]?: (config: ConfigOf<V>, out: Outbound) => Promise<void> }
  /** What the vendor offers to this credential; only the members that it was asked for live. */
  catalogue?: (config: ConfigOf<V>, out: Outbound) => Promise<SpeechCatalogue>
  /** Used when the vendor cannot be asked: a few languages and well-known voices. */
  fallback?: SpeechCatalogue
  /** The platform passes its samples on as they are. */
  raw?: true
  speak?: (config: ConfigOf<V>, sentence: Sentence, out: Outbound) => Promise<Sound>
  recognise?: (config: ConfigOf<V>, recording: Recording, out: Outbound) => Promise<string>
}

/** Identity, but it checks the protocol against its vendor. */
export const protocol = <const V extends Vendor>(_: V, p: Protocol<V>): Protocol<V> => p

/** Thrown when a vendor refuses or is unreachable. The message is for users and holds no secrets. */
export class Refused extends Error {
  override name = 'Refused'
}

/** Limits of one call to a vendor. */
export const LIMITS = {
  probe: { timeout_ms: 10_000, max_bytes: 1_000_000 },
  catalogue: { timeout_ms: 15_000, max_bytes: 10_000_000 },
  speak: { timeout_ms: 20_000, max_bytes: 10_000_000 },
  recognise: { timeout_ms: 30_000, max_bytes: 1_000_000 },
} as const
export type Call = keyof typeof LIMITS

const fileOf = (id: VendorId) => new URL(`./vendors/${id}.ts`, import.meta.url)
const nothing: Protocol = {}

/** A vendor's id; undefined for what is no vendor. All custom ones are one. */
export const vendorId = (vendor: string): VendorId | undefined =>
  // every descriptor is registered under its own id
  (Object.hasOwn(vendors, vendor) ? vendor : vendorOf(vendor)?.id) as VendorId | undefined

/** How a vendor is spoken to, found by the name of its file and loaded with its first call. */
export async function protocolOf(id: VendorId): Promise<Protocol> {
  const file = fileOf(id)
  if (!existsSync(file)) return nothing
  return ((await import(file.href)) as Record<string, Protocol>)[id] ?? nothing
}
