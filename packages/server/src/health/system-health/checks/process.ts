import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import { t } from '@switchroom/contract'
import type { Context } from '../../../http/context.ts'
import type { Finding } from '../../../parts/registry.ts'

const EVERY_MS = 10_000
const LAG_DEGRADED_S = 0.25
const LAG_FAILING_S = 2
const FULL = { degraded: 0.85, failing: 0.95 }

/** The event loop, the memory, and how many use the database. */
export function watchProcess({ config, databaseUse: use, health }: Context) {
  let delay: ReturnType<typeof monitorEventLoopDelay> | undefined
  health.watch({
    part: 'event_loop',
    every_ms: EVERY_MS,
    least_ms: EVERY_MS / 2,
    async run() {
      if (!delay) {
        delay = monitorEventLoopDelay({ resolution: 20 })
        delay.enable()
        return undefined
      }
      // nanoseconds, of which the timer's own resolution is a part
      const lag = Math.max(0, delay.percentile(99) / 1e9 - 0.02)
      delay.reset()
      health.measure('event_loop_lag_seconds', lag)
      return lagFinding(lag)
    },
  })
  health.watch({
    part: 'memory',
    every_ms: EVERY_MS,
    async run() {
      const { used_heap_size, heap_size_limit } = getHeapStatistics()
      const heap = used_heap_size / heap_size_limit
      health.measure('memory_used_ratio', heap, 'heap')
      const limit = process.constrainedMemory()
      const rss = process.memoryUsage.rss()
      const container = limit > 0 && limit < 2 ** 50 ? rss / limit : 0
      if (container > 0) health.measure('memory_used_ratio', container, 'container')
      return memoryFinding(Math.max(heap, container), rss)
    },
  })
  const max = config.database?.kind === 'mysql' ? config.database.connectionLimit : 1
  let before = 0
  health.watch({
    part: 'database_pool',
    every_ms: 5_000,
    async run() {
      const { in_use, waiting } = use
      // a single moment of waiting is normal
      const [now, then] = [waiting, before]
      before = waiting
      return poolFinding({ in_use, max, waiting: Math.min(now, then) })
    },
  })
}

export function lagFinding(seconds: number): Finding {
  const state = seconds >= LAG_FAILING_S ? 'failing' : seconds >= LAG_DEGRADED_S ? 'degraded' : 'ok'
  return {
    state,
    sentence: t('Requests wait up to {milliseconds} ms for this process', {
      milliseconds: Math.round(seconds * 1_000),
    }),
  }
}

export function memoryFinding(ratio: number, rss: number): Finding {
  const state = ratio >= FULL.failing ? 'failing' : ratio >= FULL.degraded ? 'degraded' : 'ok'
  const mb = Math.round(rss / 1e6)
  return {
    state,
    sentence: t('{mb} MB in use, {percent}% of what it may use', {
      mb,
      percent: Math.round(ratio * 100),
    }),
  }
}

export function poolFinding(use: { in_use: number; max: number; waiting: number }): Finding {
  const { in_use, max, waiting } = use
  // nobody waits while connections are free, or they cannot be opened
  const state = waiting === 0 ? 'ok' : waiting < max ? 'degraded' : 'failing'
  const sentence = t('{in_use} of {max} in use, {waiting} waiting', { in_use, max, waiting })
  return { state, sentence }
}
