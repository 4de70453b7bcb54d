import { type Alert, type Finding, t, verdictOf } from '@switchroom/contract'
import { batchesOf } from '../../db/batches.ts'
import type { Db } from '../../db/open.ts'
import type { Scope } from '../../http/scope.ts'
import { visible as visibleSpeech } from '../../speech/speech-credentials/queries.ts'
import { findingsOfAlerts } from './inbox.ts'
import { inactive, type StatusReader, uniqueNonNull } from './status-reader.ts'

/**
 * Alert types of a failing speech service, by its use. Alerts contain a vendor, but no label: of two
 * services of one vendor in an account, both are blamed.
 */
const SPEECH_ALERTS = {
  tts: ['tts-failure', 'tts-streaming-connection-failure'],
  stt: ['stt-failure'],
}

export const readSpeechServices: StatusReader = async ({ db }, scope, sids, inboxes) => {
  const rows = await db
    .selectFrom('speech_credentials')
    .leftJoin('accounts', 'accounts.account_sid', 'speech_credentials.account_sid')
    .select([
      'speech_credential_sid as sid',
      'vendor',
      'speech_credentials.account_sid',
      'speech_credentials.service_provider_sid',
      'accounts.service_provider_sid as provider_of_account',
      'use_for_tts',
      'use_for_stt',
      'tts_tested_ok',
      'stt_tested_ok',
    ])
    .where('speech_credential_sid', 'in', sids)
    .where(visibleSpeech(scope))
    .execute()
  const read = await Promise.all(
    rows.map((row) => inboxes(row.service_provider_sid ?? row.provider_of_account)),
  )
  const failed = rows.map(({ vendor, use_for_tts, use_for_stt }, i) => {
    const types: string[] = [
      ...(use_for_tts ? SPEECH_ALERTS.tts : []),
      ...(use_for_stt ? SPEECH_ALERTS.stt : []),
    ]
    return read[i]!.alerts.filter(
      (alert) => alert.vendor === vendor && types.includes(alert.alert_type ?? ''),
    )
  })
  const hasOwn = await ownServices(db, scope, failed.flat())
  return rows.map((row, i) => {
    const { sid, account_sid, use_for_tts, use_for_stt, tts_tested_ok, stt_tested_ok } = row
    if (!use_for_tts && !use_for_stt) return { sid, ...inactive(t('Not in use')) }
    // an account that has a service of the vendor uses that one, and not a shared one
    const reported = failed[i]!.filter((alert) =>
      account_sid ? alert.account_sid === account_sid : !hasOwn(alert),
    )
    const isTested = tts_tested_ok === 1 || stt_tested_ok === 1
    return {
      sid,
      ...verdictOf(
        [...failedTests(row), ...findingsOfAlerts(reported)],
        isTested
          ? { state: 'ok', reason: t('The latest test succeeded, and nothing failed since.') }
          : { state: 'not_known', reason: t('Not tested, and no problems reported.') },
      ),
    }
  })
}

/** Returns a check: true if the account of an alert has its own speech service of that vendor. */
async function ownServices(db: Db, scope: Scope, alerts: readonly Alert[]) {
  const found = new Set<string>()
  const key = ({ account_sid, vendor }: Pick<Alert, 'account_sid' | 'vendor'>) =>
    JSON.stringify([account_sid, vendor])
  for (const batch of batchesOf(uniqueNonNull(alerts.map(({ account_sid }) => account_sid)))) {
    const rows = await db
      .selectFrom('speech_credentials')
      .select(['account_sid', 'vendor'])
      .where('account_sid', 'in', batch)
      .where('vendor', 'in', uniqueNonNull(alerts.map(({ vendor }) => vendor)))
      .where(visibleSpeech(scope))
      .execute()
    for (const row of rows) found.add(key(row))
  }
  return (alert: Alert) => found.has(key(alert))
}

type TestResults = {
  use_for_tts: number | null
  use_for_stt: number | null
  tts_tested_ok: number | null
  stt_tested_ok: number | null
}

function failedTests({
  use_for_tts,
  use_for_stt,
  tts_tested_ok,
  stt_tested_ok,
}: TestResults): Finding[] {
  const failed = (reason: string): Finding => ({
    state: 'failing',
    since: null,
    reason,
    mend: t('Correct the credentials, and test the speech service again.'),
    failure_sid: null,
    direction: null,
  })
  return [
    ...(use_for_tts && tts_tested_ok === 0
      ? [failed(t('The latest test of text-to-speech failed.'))]
      : []),
    ...(use_for_stt && stt_tested_ok === 0
      ? [failed(t('The latest test of speech-to-text failed.'))]
      : []),
  ]
}
