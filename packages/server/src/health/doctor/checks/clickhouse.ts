import { t } from '@switchroom/contract'
import { errorMessage } from '../../../errors/members.ts'
import { sentenceOf } from '../../../parts/sentence.ts'
import type { Check } from '../check.ts'
import { ok, problem } from '../finding.ts'

/** Whether ClickHouse answers, is new enough, and is not of a newer Switchroom. */
export const clickhouse: Check = {
  name: 'clickhouse',
  needs: /^SWITCHROOM_CLICKHOUSE_/,
  async run({ config: { telemetry } }) {
    if (telemetry.kind !== 'clickhouse') return undefined
    const { clickHouse } = await import('../../../stores/clickhouse/client.ts')
    const { checkTables, UnusableClickHouse } = await import('../../../stores/clickhouse/tables.ts')
    const db = clickHouse(telemetry.clickhouse, { isMissing: true })
    try {
      const { release, version } = await checkTables(db, telemetry.clickhouse.database)
      return ok(
        version === 0
          ? t('ClickHouse {release} answers. Its tables are created at the start.', { release })
          : t('ClickHouse {release} answers.', { release }),
      )
    } catch (e) {
      if (e instanceof UnusableClickHouse)
        return problem(
          `${errorMessage(e)}.`,
          t('Use another ClickHouse, or update the older of the two: it or Switchroom.'),
        )
      const { host } = new URL(telemetry.clickhouse.url)
      return problem(
        t('ClickHouse at {host} cannot be used: {sentence}.', {
          host,
          sentence: sentenceOf(e instanceof Error && e.cause ? e.cause : e),
        }),
        t(
          'Make sure that ClickHouse runs and can be reached from this machine, or correct SWITCHROOM_CLICKHOUSE_URL, SWITCHROOM_CLICKHOUSE_USER and SWITCHROOM_CLICKHOUSE_PASSWORD.',
        ),
      )
    } finally {
      await db.close()
    }
  },
}
