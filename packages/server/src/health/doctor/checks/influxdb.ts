import { isRecord, membersOf, t } from '@switchroom/contract'
import { sentenceOf } from '../../../parts/sentence.ts'
import type { Check } from '../check.ts'
import { ok, problem } from '../finding.ts'

const LIMIT_MS = 4_000
const DATABASES = ['cdrs', 'alerts']

/** Checks that InfluxDB answers, is version 1, and needs no login. */
export const influxdb: Check = {
  name: 'influxdb',
  needs: /^JAMBONES_TIME_SERIES_HOST$/,
  async run({ config: { telemetry } }) {
    if (telemetry.kind !== 'influx') return undefined
    const { url } = telemetry
    try {
      const answer = await fetch(`${url}/query`, {
        method: 'POST',
        redirect: 'error',
        body: new URLSearchParams({ q: 'SHOW DATABASES' }),
        signal: AbortSignal.timeout(LIMIT_MS),
      })
      const version = answer.headers.get('x-influxdb-version')
      const text = await answer.text()
      const isV1 = version?.replace(/^v/, '').startsWith('1') === true
      if (answer.status === 401 && isV1)
        return problem(
          t('InfluxDB at {url} asks for a login, which the platform does not send.', { url }),
          t(
            'Turn auth-enabled off in its configuration, and let only the platform’s components reach it.',
          ),
        )
      if (!answer.ok || !isV1)
        return problem(
          version
            ? t('The server at {url} is not InfluxDB 1.x (version {version}).', { url, version })
            : t('The server at {url} is not InfluxDB 1.x.', { url }),
          t(
            'Set JAMBONES_TIME_SERIES_HOST to an InfluxDB 1.8 server, or leave it empty to store call records in Switchroom.',
          ),
        )
      const existing = databaseNamesIn(text)
      const missing = DATABASES.filter((name) => !existing.includes(name))
      return ok(
        missing.length > 0
          ? t('InfluxDB {version} answers. {missing}: created with the first record.', {
              version,
              missing: missing.join(', '),
            })
          : t('InfluxDB {version} answers.', { version }),
      )
    } catch (e) {
      return problem(
        t('InfluxDB at {url} cannot be used: {sentence}.', {
          url,
          sentence: sentenceOf(e, LIMIT_MS),
        }),
        t(
          'Make sure that InfluxDB runs and can be reached from this machine, or correct JAMBONES_TIME_SERIES_HOST.',
        ),
      )
    }
  },
}

/** `{"results":[{"series":[{"values":[["cdrs"]]}]}]}` */
function databaseNamesIn(text: string): unknown[] {
  const first = (value: unknown) => (Array.isArray(value) ? membersOf(value[0]) : {})
  const body: unknown = JSON.parse(text)
  const { values } = first(first(isRecord(body) ? body.results : undefined).series)
  return Array.isArray(values) ? values.flat() : []
}
