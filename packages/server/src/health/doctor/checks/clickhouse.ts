import { t } from '@switchroom/contract'
import { errorMessage } from '../../../errors/members.ts'
import { sentenceOf } from '../../../parts/sentence.ts'
import type { Check } from '../check.ts'
import { type Finding, ok, problem, warning } from '../finding.ts'
import type { Site } from '../site.ts'

/** Checks that ClickHouse answers, is new enough, was not set up by a newer Switchroom, and has refused no rows. */
export const clickhouse: Check = {
  name: 'clickhouse',
  needs: /^SWITCHROOM_CLICKHOUSE_/,
  async run({ config }) {
    if (config.telemetry.kind !== 'clickhouse') return undefined
    const refused = await refusedFindings(config)
    const server = await serverFinding(config.telemetry)
    return refused.length === 0 || server.outcome !== 'ok' ? [server, ...refused] : refused
  },
}

type Config = Site['config']
type ClickHouseConfig = Extract<Config['telemetry'], { kind: 'clickhouse' }>

async function refusedFindings(config: Config): Promise<Finding[]> {
  const { refusedIn, refusedOf } = await import('../../../stores/kit/refused-batches.ts')
  const { refusedSentence, spoolsOf } = await import('../../../stores/clickhouse/refused.ts')
  const files = (await Promise.all(spoolsOf(config).map(refusedIn))).flat()
  const refused = refusedOf(files)
  if (!refused) return []
  return [
    warning(
      `${refusedSentence(refused)}.`,
      t(
        'Correct what ClickHouse objects to and run npm run telemetry -- refused --retry, or delete the rows: npm run telemetry -- refused --delete',
      ),
    ),
  ]
}

async function serverFinding(telemetry: ClickHouseConfig): Promise<Finding> {
  const { clickHouse } = await import('../../../stores/clickhouse/client.ts')
  const { clusterOf } = await import('../../../stores/clickhouse/cluster.ts')
  const { checkTables, UnusableClickHouse } = await import(
    '../../../stores/clickhouse/prepare-tables.ts'
  )
  const db = clickHouse(telemetry.clickhouse, { isMissing: true })
  try {
    const { cluster, database } = telemetry.clickhouse
    const { release, version } = await checkTables(db, database)
    if (cluster) {
      const { servers, written_twice } = await clusterOf(db, cluster)
      if (servers === 0)
        return problem(
          t('ClickHouse knows no cluster {cluster}.', { cluster }),
          t(
            'Define it in remote_servers on each server, or correct SWITCHROOM_CLICKHOUSE_CLUSTER.',
          ),
        )
      if (written_twice > 0)
        return warning(
          t(
            'The cluster {cluster} lacks internal_replication: each insert goes to every replica.',
            {
              cluster,
            },
          ),
          t('Set internal_replication to true in each shard of remote_servers.'),
        )
    }
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
}
