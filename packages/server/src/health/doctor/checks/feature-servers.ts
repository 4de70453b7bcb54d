import { t } from '@switchroom/contract'
import { sentenceOf } from '../../../parts/sentence.ts'
import type { Check } from '../check.ts'
import { type Finding, notChecked, ok, problem, warning } from '../finding.ts'

const LIMIT_MS = 4_000
const MOST = 20

/** Whether the feature servers can be reached that calls and messages of the API go to. */
export const featureServers: Check = {
  name: 'feature_servers',
  needs: /^(?:ENABLE_)?JAMBONES_REDIS_|^K8S/,
  async run({ config, redis }) {
    const { service } = config.feature_servers
    if (service) return found(await Promise.all([ask(service)]))
    const opened = await redis?.()
    if (!opened) return undefined
    if ('failure' in opened) return notChecked(t('Redis, where they register, cannot be used.'))
    const servers = await opened.it.smembers(`${config.cluster_id}:fs-service-url`)
    if (servers.length === 0)
      return warning(
        t(
          'No feature server has registered in Redis: the API cannot start calls or send messages.',
        ),
        t(
          'Start the platform’s feature servers with the same Redis and the same JAMBONES_CLUSTER_ID as this server.',
        ),
      )
    return found(await Promise.all(servers.sort().slice(0, MOST).map(ask)))
  },
}

const found = (asked: { url: string; finding: Finding | undefined }[]) => {
  const findings = asked.flatMap(({ finding }) => finding ?? [])
  return findings.length > 0
    ? findings
    : ok(t('{asked}: reachable.', { asked: asked.map(({ url }) => url).join(', ') }))
}

/** Any answer will do: it has a path for each thing it does, and none for this. */
async function ask(url: string): Promise<{ url: string; finding: Finding | undefined }> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(LIMIT_MS) })
    await answer.body?.cancel()
    return { url, finding: undefined }
  } catch (e) {
    const finding = problem(
      t('The feature server {url} cannot be reached: {sentence}.', {
        url,
        sentence: sentenceOf(e, LIMIT_MS),
      }),
      t('Make sure that it runs and that this machine may reach that address and port.'),
    )
    return { url, finding }
  }
}
