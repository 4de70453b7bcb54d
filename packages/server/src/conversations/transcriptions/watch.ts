import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { every } from '../../live/every.ts'
import type { AutomaticAccount } from './automatic.ts'

const LOOK_MS = 20_000
const FORGET_MS = 15 * 60_000
const DAY_MS = 86_400_000

const isAutomatic = sql<boolean>`(speech_credential_sid is not null and minutes_a_day is not null and words <> 'leave_out')`

/** The accounts whose recordings are transcribed when their calls are over. */
async function automaticAccounts(db: Db): Promise<AutomaticAccount[]> {
  const rows = await db
    .selectFrom('switchroom_transcript_settings')
    .select(['account_sid', 'speech_credential_sid', 'language', 'minutes_a_day'])
    .where(isAutomatic)
    .execute()
  return rows.map(({ account_sid, speech_credential_sid, language, minutes_a_day }) => ({
    account_sid,
    automatic: {
      speech_credential_sid: speech_credential_sid!,
      language,
      minutes_a_day: minutes_a_day!,
    },
  }))
}

/**
 * Forgets the progress of accounts that turned transcription off: calls from that time are not transcribed when they
 * turn it on again.
 */
async function forgetOthers(db: Db) {
  const others = sql<boolean>`account_sid not in (select account_sid from switchroom_transcript_settings where ${isAutomatic})`
  await db
    .updateTable('switchroom_transcribing')
    .set({ seen_until: null })
    .where('seen_until', 'is not', null)
    .where(others)
    .execute()
  await db
    .deleteFrom('switchroom_transcriptions')
    .where('state', '=', 'waiting')
    .where(others)
    .execute()
}

/** Deletes transcriptions of calls that are older than recordings may be here. */
export async function forgetOld({ db, config }: Context, now = Date.now()) {
  const before = new Date(now - config.recordings.days * DAY_MS).toISOString()
  const { removeBefore } = await import('./queries.ts')
  while ((await removeBefore(db, before)) > 0);
}

/** Transcribes recordings of accounts that want it, and deletes old transcriptions, until stopped. */
export function startTranscribing(ctx: Context) {
  const stopping = new AbortController()
  /** Accounts that this process works for. */
  const busy = new Map<string, Promise<void>>()
  const onError = (err: unknown) =>
    ctx.log.error({ err }, 'recordings cannot be transcribed automatically')

  async function look() {
    const accounts = await automaticAccounts(ctx.db)
    await forgetOthers(ctx.db)
    for (const account of accounts) {
      if (stopping.signal.aborted || busy.has(account.account_sid)) continue
      // few servers need it
      const { transcribeAccount } = await import('./automatic.ts')
      const work = transcribeAccount(ctx, account, stopping.signal)
        .catch(onError)
        .finally(() => busy.delete(account.account_sid))
      busy.set(account.account_sid, work)
    }
  }

  const loops = [
    every(LOOK_MS, look, { onError }),
    every(FORGET_MS, () => forgetOld(ctx), { onError }),
  ]
  return {
    look,
    async stop() {
      stopping.abort()
      await Promise.all(loops.map((loop) => loop.stop()))
      await Promise.all(busy.values())
    },
  }
}
