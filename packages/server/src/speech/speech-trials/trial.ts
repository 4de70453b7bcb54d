import {
  allFields,
  fieldSchema,
  type TestResult,
  type Use,
  type UseResult,
  type VendorId,
  vendors,
} from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { protocolOf, vendorId } from '../protocols.ts'
import { fallbackOf } from '../speech-catalogues/queries.ts'
import type { Row } from '../speech-credentials/queries.ts'
import { configOf } from '../stored.ts'
import { reasonOf, withTimeout } from '../with-timeout.ts'
import { defaultLanguage, defaultVoice } from './default-voice.ts'
import { SAMPLE_RATE, SENTENCE, sample } from './sample.ts'

/** For a side with all its calls. */
const TEST_MS = 20_000
const REAL_TEST_MS = 40_000

const NOT_TESTED: UseResult = { status: 'not tested' }
const UNREADABLE = 'The stored credential cannot be decrypted. Enter it again'

export type Config = NonNullable<ReturnType<typeof configOf>>

/**
 * The vendor of a credential and its settings; undefined for settings that cannot be read. Throws 422 where
 * the key file is none.
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
 * Tries a credential for what it is used for, both uses at once: by a call that costs nothing, or really.
 * What a vendor has no way to be asked is not tested. Throws 422 where the key file is none.
 */
export async function tried(
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
      if (!call) return NOT_TESTED
      await withTimeout(real ? REAL_TEST_MS : TEST_MS, call())
      return { status: 'ok' }
    } catch (e) {
      return { status: 'fail', reason: reasonOf(ctx.log, { vendor, config }, e) }
    }
  }
  const [tts, stt] = await Promise.all([side('tts'), side('stt')])
  return { tts, stt }
}

/** What proves this use. Any answer to the sample is as good: there are no words in it. */
async function callFor(
  { outbound: out }: Pick<Context, 'outbound'>,
  vendor: VendorId,
  config: Config,
  use: Use,
  real: boolean,
): Promise<(() => Promise<unknown>) | undefined> {
  const { speak, recognise, probe } = await protocolOf(vendor)
  const asked = probe?.[use]
  const free = asked && (() => asked(config, out))
  if (!real) return free
  const offered = await fallbackOf(vendor)
  if (use === 'tts')
    return speak ? () => speak(config, { text: SENTENCE, ...defaultVoice(offered) }, out) : free
  const recording = { pcm: sample, rate: SAMPLE_RATE, language: defaultLanguage(offered) } as const
  return recognise ? () => recognise(config, recording, out) : free
}
