import { hostname } from 'node:os'
import { type DoctorReport, type DoctorResult, t } from '@switchroom/contract'
import { hideSecrets } from '../../config/hide-secrets.ts'
import { VERSION } from '../../http/capabilities.ts'
import { sentenceOf, withoutCredentials } from '../../parts/sentence.ts'
import type { Check } from './check.ts'
import { allowedNetworks } from './checks/allowed-networks.ts'
import { backups } from './checks/backups.ts'
import { baseUrl } from './checks/base-url.ts'
import { certificates } from './checks/certificates.ts'
import { clickhouse } from './checks/clickhouse.ts'
import { clock } from './checks/clock.ts'
import { dataFolder } from './checks/data-folder.ts'
import { database } from './checks/database.ts'
import { databaseRights } from './checks/database-rights.ts'
import { databaseSettings } from './checks/database-settings.ts'
import { databaseShape } from './checks/database-shape.ts'
import { disk } from './checks/disk.ts'
import { featureServers } from './checks/feature-servers.ts'
import { homer } from './checks/homer.ts'
import { influxdb } from './checks/influxdb.ts'
import { jaeger } from './checks/jaeger.ts'
import { mail } from './checks/mail.ts'
import { migrations } from './checks/migrations.ts'
import { ports } from './checks/ports.ts'
import { proxy } from './checks/proxy.ts'
import { realms } from './checks/realms.ts'
import { redis } from './checks/redis.ts'
import { redisWrites } from './checks/redis-writes.ts'
import { sbcs } from './checks/sbcs.ts'
import { secrets } from './checks/secrets.ts'
import { storedSecrets } from './checks/stored-secrets.ts'
import { upgrade } from './checks/upgrade.ts'
import { variables } from './checks/variables.ts'
import { type Finding, notChecked, problem } from './finding.ts'
import type { Site } from './site.ts'

const CHECKS: Check[] = [
  variables,
  secrets,
  allowedNetworks,
  dataFolder,
  disk,
  ports,
  clock,
  database,
  databaseRights,
  databaseShape,
  migrations,
  databaseSettings,
  storedSecrets,
  upgrade,
  redis,
  redisWrites,
  influxdb,
  clickhouse,
  jaeger,
  homer,
  baseUrl,
  proxy,
  certificates,
  realms,
  sbcs,
  featureServers,
  mail,
  backups,
]

/** Time limit of a check. Checks run side by side, so it is also that of all together, except slow ones. */
const LIMIT_MS = 10_000

/** Runs every check and closes the site. Alters nothing. */
export async function runDoctor(site: Site, checks = CHECKS): Promise<DoctorReport> {
  const ran_at = new Date().toISOString()
  const began = performance.now()
  const results = new Map<Check, DoctorResult[]>()
  const add = async (check: Check) => results.set(check, await resultsOf(check, site))
  await Promise.all(checks.filter(({ takesLong }) => !takesLong).map(add))
  for (const check of checks.filter(({ takesLong }) => takesLong)) await add(check)
  await site.close()
  return {
    version: VERSION,
    host: hostname(),
    ran_at,
    seconds: Math.round((performance.now() - began) / 100) / 10,
    results: checks.flatMap((check) => results.get(check)!),
  }
}

async function resultsOf(check: Check, site: Site): Promise<DoctorResult[]> {
  const findings = await findingsOf(check, site)
  const shown = (text: string) => hideSecrets(withoutCredentials(text), site.environment)
  return findings.map(({ outcome, sentence, fix }) => ({
    check: check.name,
    outcome,
    sentence: shown(sentence),
    fix: fix === null ? null : shown(fix),
  }))
}

async function findingsOf({ needs, takesLong, run }: Check, site: Site): Promise<Finding[]> {
  const wrong = [...site.problems.keys()].find((name) => needs?.test(name))
  if (wrong) return [notChecked(t('Correct {wrong} first.', { wrong }))]
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Finding>((resolve) => {
    const finding = problem(
      t('This check was not finished within {LIMIT_MS} seconds.', { LIMIT_MS: LIMIT_MS / 1_000 }),
      t('Find out what does not answer: a firewall that drops packets often causes this.'),
    )
    timer = setTimeout(resolve, LIMIT_MS, finding)
  })
  try {
    const found = await (takesLong ? run(site) : Promise.race([run(site), late]))
    return found === undefined ? [] : [found].flat()
  } catch (e) {
    return [
      problem(
        t('This check failed: {sentence}.', { sentence: sentenceOf(e) }),
        t('Report this as a Switchroom bug.'),
      ),
    ]
  } finally {
    clearTimeout(timer)
  }
}
