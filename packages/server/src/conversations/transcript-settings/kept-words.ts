import { leastKept } from '../../calls/words-kept.ts'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { every } from '../../live/every.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import type { Stores } from '../../stores/open.ts'
import type { KeptWords, WordsPolicy } from '../../stores/traces/store.ts'
import type { VersionsOf } from '../../stores/voice/store.ts'

/** Interval at which changes by other processes are read. With Redis they are known at once. */
const READ_EVERY_MS = 3_000

const TABLE = 'switchroom_transcript_settings'

const keyOf = (box: SecretBox) => box.digest('words of spans')

/**
 * How accounts want the words of their calls kept. Throws if it cannot be read: it must be known before anything is
 * stored.
 */
export async function wordsPolicy(db: Db, box: SecretBox): Promise<WordsPolicy> {
  const rows = await db.selectFrom(TABLE).select(['account_sid', 'words']).execute()
  const least = await leastKept(db)
  return {
    accounts: new Map(
      rows.flatMap(({ account_sid, words }) =>
        words === 'keep' ? [] : [[account_sid.toLowerCase(), words] as const],
      ),
    ),
    unknown: least === 'keep' ? undefined : least,
    key: keyOf(box),
  }
}

/**
 * Tells the store of traces how accounts want words kept. While the settings cannot be read, the last known ones apply.
 */
export function keptWords(
  { db, box }: Pick<Context, 'db' | 'box'>,
  stores: () => Pick<Stores, 'traces'>,
): KeptWords {
  let told: string | undefined
  let running: Promise<void> = Promise.resolve()
  const tell = async () => {
    const policy = await wordsPolicy(db, box)
    const now = JSON.stringify([policy.unknown, ...[...policy.accounts].sort()])
    if (now === told) return
    await stores().traces.followWords?.(policy)
    told = now
  }
  return {
    key: keyOf(box),
    // one after the other: an earlier read must not be applied after a later one
    refresh() {
      running = running.then(tell, tell)
      return running
    },
  }
}

/** Finds the values by which accounts split figures. Loaded with the first call that is counted. */
export function lateVersions(ctx: Pick<Context, 'db' | 'box'>): VersionsOf {
  let versionsOf: VersionsOf | undefined
  return async (calls) => {
    versionsOf ??= (await import('./versions.ts')).versionsOf(ctx)
    return versionsOf(calls)
  }
}

/** Follows changes by this and other processes. */
export function followWords({ words, databaseUse, log }: Context) {
  const fail = (err: unknown) =>
    log.error(
      { err },
      'What accounts keep of the words of calls cannot be read. What was known last holds.',
    )
  const reading = every(READ_EVERY_MS, words.refresh, { onError: fail })
  const listener: Parameters<typeof databaseUse.writes.add>[0] = (writes) => {
    // the writer must not wait: it may hold the only connection
    if (writes.some(({ table }) => table === undefined || table === TABLE))
      words.refresh().catch(fail)
  }
  databaseUse.writes.add(listener)
  return {
    async stop() {
      databaseUse.writes.delete(listener)
      await reading.stop()
    },
  }
}
