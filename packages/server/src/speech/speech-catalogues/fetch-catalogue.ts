import { type CatalogueWithSource, SpeechCatalogue, t, type VendorId } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { protocolOf, Refused } from '../protocol.ts'
import type { Row } from '../speech-credentials/queries.ts'
import { configOf, fingerprint } from '../stored.ts'
import { reasonOf, withTimeout } from '../with-timeout.ts'
import * as catalogues from './queries.ts'

/** Time for which a catalogue is cached. */
const FRESH_MS = 3_600_000
const FETCH_MS = 20_000

type CatalogueRequest = {
  vendor: VendorId
  row: Row | undefined
  fresh: boolean
  builtIn: SpeechCatalogue
}

/**
 * The catalogue for a credential: live, else the last one, else the built-in one. Missing parts, such as the languages
 * of a vendor that lists only voices, come from the built-in one as well.
 */
export async function catalogueFor(
  ctx: Context,
  input: CatalogueRequest,
): Promise<CatalogueWithSource> {
  const { vendor, row, fresh, builtIn } = input
  const { catalogue } = await protocolOf(vendor)
  if (!row || !catalogue) return { ...builtIn, source: 'built-in' }
  const kept = await catalogues.savedCatalogue(ctx.db, row)
  const cached = kept && {
    ...builtIn,
    ...kept.offered,
    source: 'cached' as const,
    fetched_at: kept.fetched_at,
  }
  const age = cached ? Date.now() - Date.parse(cached.fetched_at) : Number.NaN
  // fetched in the future: by a clock that ran ahead
  if (cached && !fresh && age >= 0 && age < FRESH_MS) return cached

  const config = configOf(ctx.box, row) ?? {}
  const fetchLive = async (): Promise<CatalogueWithSource> => {
    // only fields of the contract are stored and returned
    const live = SpeechCatalogue.parse(
      await withTimeout({ timeout_ms: FETCH_MS }, () => catalogue(config, ctx.outbound)),
    )
    if (isEmpty(live)) throw new Refused(t('the vendor returned an empty list'))
    const fetched_at = new Date().toISOString()
    await catalogues.saveCatalogue(ctx.db, row, { offered: live, fetched_at })
    return { ...builtIn, ...live, source: 'live', fetched_at }
  }
  try {
    const key = `${row.speech_credential_sid} ${fingerprint(row)}`
    return await ctx.memory.catalogues(key, fetchLive)
  } catch (e) {
    const reason = reasonOf(ctx.log, { vendor, config }, e)
    return { ...(cached ?? { ...builtIn, source: 'built-in' as const }), reason }
  }
}

const isEmpty = (c: SpeechCatalogue) =>
  Object.values(c).every((list) => list === undefined || list.length === 0)
