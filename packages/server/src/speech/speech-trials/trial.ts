import type { SpeechCatalogue } from '@switchroom/contract'
import {
  allFields,
  fieldSchema,
  NO_FREE_TEST,
  type TestResult,
  t,
  type Use,
  type UseResult,
  type VendorId,
  vendors,
} from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { isBlocked } from '../../outbound/guard.ts'
import { protocolOf, vendorId } from '../protocol.ts'
import { fallbackOf } from '../speech-catalogues/queries.ts'
import type { Row } from '../speech-credentials/queries.ts'
import { configOf } from '../stored.ts'
import { reasonOf, withTimeout } from '../with-timeout.ts'

/** Per use, with all its calls. */
const TEST_MS = 20_000
const REAL_TEST_MS = 40_000

const NOT_TESTED: UseResult = { status: 'not tested' }
export const UNREADABLE = t('The stored credential cannot be decrypted. Enter it again')

export type Config = NonNullable<ReturnType<typeof configOf>>

/**
 * The vendor of a credential and its settings; undefined if they cannot be decrypted. Throws 422 if
 * the key file is invalid.
 */
export function openedRow({ box }: Pick<Context, 'box'>, row: Row) {
  const vendor = vendorId(row.vendor)
  const config = vendor && configOf(box, row)
  for (const [key, field] of Object.entries(vendor ? allFields(vendors[vendor]) : {}))
    if (field.kind === 'key_file' && !fieldSchema(field).safeParse(config?.[key]).success)
      throw new Failure('conflict', field.refusals.tested)
  return { vendor, config }
}

/**
 * Tests a credential for its enabled uses in parallel, by a free call or a live test.
 * Uses without such a call are not tested. Throws 422 if the key file is invalid.
 */
export async function testCredential(
  ctx: Pick<Context, 'box' | 'outbound' | 'log'>,
  row: Row,
  real: boolean,
): Promise<TestResult> {
  const { vendor, config } = openedRow(ctx, row)
  const side = async (use: Use): Promise<UseResult> => {
    if (!vendor || !row[`use_for_${use}`]) return NOT_TESTED
    if (!config) return { status: 'fail', reason: UNREADABLE }
    try {
      const call = await callFor(ctx, vendor, config, use, real)
      if (!call) return real ? NOT_TESTED : { ...NOT_TESTED, reason: NO_FREE_TEST }
      await withTimeout({ timeout_ms: real ? REAL_TEST_MS : TEST_MS }, call)
      return { status: 'ok' }
    } catch (e) {
      const reason = reasonOf(ctx.log, { vendor, config }, e)
      // it says nothing of the credential
      return { status: isBlocked(e) ? 'not tested' : 'fail', reason }
    }
  }
  const [tts, stt] = await Promise.all([side('tts'), side('stt')])
  return { tts, stt }
}

const SAMPLE_RATE = 8_000
const SECONDS = 1.8
const LOUDNESS = 6_000

/** The audio for live tests of speech-to-text: 1.8 seconds of a rising and falling tone, mono, 16 bit. */
export const sample: Buffer = (() => {
  const pcm = Buffer.alloc(SAMPLE_RATE * SECONDS * 2)
  for (let i = 0; i < pcm.length / 2; i++) {
    const at = i / SAMPLE_RATE
    const tone = Math.sin(2 * Math.PI * (300 * at + 20 * Math.sin(2 * Math.PI * at)))
    const swell = Math.sin((Math.PI * at) / SECONDS)
    pcm.writeInt16LE(Math.round(LOUDNESS * swell * tone), i * 2)
  }
  return pcm
})()

/** The text for live tests of text-to-speech. */
const SENTENCE = 'This is a test.'

const english = <C extends { value: string }>(all: C[] | undefined): C | undefined =>
  all?.find((l) => l.value === 'en-US') ?? all?.find((l) => /^en\b/i.test(l.value)) ?? all?.[0]

/** The language and voice for a live test, English if possible. */
function defaultVoice(offered: SpeechCatalogue | undefined) {
  const language = english(offered?.tts)
  return { language: language?.value ?? 'en-US', voice: language?.voices[0]?.value ?? 'default' }
}

/** The default language for speech-to-text. */
export const defaultLanguage = (offered: SpeechCatalogue | undefined) =>
  english(offered?.stt)?.value ?? 'en-US'

/** The call that tests a use. Any transcript is accepted, since the sample has no words. */
async function callFor(
  { outbound: out }: Pick<Context, 'outbound'>,
  vendor: VendorId,
  config: Config,
  use: Use,
  real: boolean,
): Promise<(() => Promise<unknown>) | undefined> {
  const { speak, recognize, probe } = await protocolOf(vendor)
  const probeFor = probe?.[use]
  const free = probeFor && (() => probeFor(config, out))
  if (!real) return free
  const offered = await fallbackOf(vendor)
  if (use === 'tts')
    return speak ? () => speak(config, { text: SENTENCE, ...defaultVoice(offered) }, out) : free
  const recording = { pcm: sample, rate: SAMPLE_RATE, language: defaultLanguage(offered) } as const
  return recognize ? () => recognize(config, recording, out) : free
}
