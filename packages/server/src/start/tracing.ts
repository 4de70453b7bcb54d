import { t } from '@switchroom/contract'
import type { Config } from '../config/config.ts'
import { VERSION } from '../http/capabilities.ts'
import type { Health } from '../parts/registry.ts'
import { sentenceOf } from '../parts/sentence.ts'

/** Starts this server's own traces, if they are collected. */
export async function startTracing(config: Config, health: Pick<Health, 'report'>) {
  const { captures, telemetry, traces } = config
  if (!config.tracing) return undefined
  const { openTracing } = await import('../tracing/tracing.ts')
  const urls = [
    telemetry.kind === 'influx' && telemetry.url,
    telemetry.kind === 'clickhouse' && telemetry.clickhouse.url,
    traces.kind === 'jaeger' && traces.url,
    captures.kind === 'homer' && captures.url,
  ]
  return openTracing({
    ...config.tracing,
    version: VERSION,
    origins: urls.flatMap((url) => (url ? [new URL(url).origin] : [])),
    failed: (error) => health.report('tracing', 'degraded', sentenceOf(error)),
    worked: () =>
      health.report('tracing', 'ok', t('The collector takes the traces of this server')),
  })
}
