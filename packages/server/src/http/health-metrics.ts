import { COSTS, type Cost, HEALTH_STATES, type HealthPart } from '@switchroom/contract'
import { Counter, Gauge, type Registry } from 'prom-client'
import { FIGURES } from '../parts/figures.ts'
import { VERSION } from './capabilities.ts'
import type { Context } from './context.ts'

/** Metrics of the health of all parts, and of what their checks measure. */
export function healthMetrics(
  registry: Registry,
  { config, health, databaseUse, memory }: Context,
) {
  const perPart = (name: string, help: string, value: (part: HealthPart) => number) =>
    new Gauge({
      name: `switchroom_health_${name}`,
      help,
      labelNames: ['part'],
      registers: [registry],
      collect() {
        this.reset()
        for (const part of health.parts()) this.set({ part: part.part }, value(part))
      },
    })
  perPart('state', 'State of a part: 0 ok, 1 degraded, 2 failing', ({ state }) =>
    HEALTH_STATES.indexOf(state),
  )
  const seconds = (time: string) => Date.parse(time) / 1_000
  perPart('since_timestamp_seconds', 'When a part went into its state', ({ since }) =>
    seconds(since),
  )
  perPart('checked_timestamp_seconds', 'When a part was checked last', ({ checked_at }) =>
    seconds(checked_at),
  )
  new Gauge({
    name: 'switchroom_draining',
    help: 'Whether the server is shutting down: 1 if it is',
    registers: [registry],
    collect() {
      this.set(Number(health.draining))
    },
  })
  for (const [figure, info] of Object.entries(FIGURES)) {
    const { kind, help } = info
    const values = () => health.figures().filter((f) => f.figure === figure)
    const labels = (value: string | undefined) =>
      'label' in info && value !== undefined ? { [info.label]: value } : {}
    const common = {
      name: `switchroom_${figure}`,
      help,
      labelNames: 'label' in info ? [info.label] : [],
      registers: [registry],
    }
    if (kind === 'counter')
      new Counter({
        ...common,
        collect() {
          this.reset()
          for (const { label, value } of values()) this.inc(labels(label), value)
        },
      })
    else
      new Gauge({
        ...common,
        collect() {
          this.reset()
          for (const { label, value } of values()) this.set(labels(label), value)
        },
      })
  }
  const limit = config.database?.kind === 'mysql' ? config.database.connectionLimit : 1
  new Gauge({
    name: 'switchroom_database_connections',
    help: 'Database connections in use, those who wait for one, and the limit',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'in_use' }, databaseUse.in_use)
      this.set({ state: 'waiting' }, databaseUse.waiting)
      this.set({ state: 'limit' }, limit)
    },
  })
  const waitsOrRuns = (work: Cost, state: 'running' | 'waiting') =>
    memory.turns[work].load().reduce((sum, load) => sum + load[state], 0)
  new Gauge({
    name: 'switchroom_turns_requests',
    help: 'Costly requests that run, and those that wait for their tenant’s turn, by kind of work',
    labelNames: ['work', 'state'],
    registers: [registry],
    collect() {
      for (const work of COSTS)
        for (const state of ['running', 'waiting'] as const)
          this.set({ work, state }, waitsOrRuns(work, state))
    },
  })
  new Counter({
    name: 'switchroom_turns_refused_total',
    help: 'Costly requests that were refused because too many waited, or waited too long, by kind of work',
    labelNames: ['work'],
    registers: [registry],
    collect() {
      this.reset()
      for (const work of COSTS) this.inc({ work }, memory.turns[work].refused())
    },
  })
  // strangers need not know which version runs here
  if (config.metrics.token || config.metrics.networks.length > 0)
    new Gauge({
      name: 'switchroom_build_info',
      help: 'The version; always 1',
      labelNames: ['version', 'node'],
      registers: [registry],
    }).set({ version: VERSION, node: process.version }, 1)
}
