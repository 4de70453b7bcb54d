import { t } from '../wire/text.ts'

/** What a store of call data holds, in the order the screen shows it. */
export const STORED = ['calls', 'points', 'spans', 'messages', 'others'] as const

export type HealthGroup = 'data' | 'records' | 'intake' | 'services' | 'process'

type PartInfo = {
  label: string
  group: HealthGroup
  /** Without it the server is not ready. */
  required?: true
}

/** Every part that reports its health. Names are stable: metrics and alert rules use them. */
export const HEALTH_PARTS = {
  database: { label: t('Database'), group: 'data', required: true },
  database_pool: { label: t('Database connections'), group: 'data' },
  replica: { label: t('Database replica'), group: 'data' },
  redis: { label: t('Redis'), group: 'data', required: true },
  migrations: { label: t('Database migrations'), group: 'data', required: true },
  disk: { label: t('Disk space'), group: 'data' },
  backup: { label: t('Backup'), group: 'data' },
  influxdb: { label: 'InfluxDB', group: 'records' },
  clickhouse: { label: 'ClickHouse', group: 'records' },
  homer: { label: t('Homer'), group: 'records' },
  jaeger: { label: t('Jaeger'), group: 'records' },
  telemetry_files: { label: t('Record files'), group: 'records' },
  buckets: { label: t('Recording buckets'), group: 'records' },
  intake_influx: { label: t('Call records and alerts (InfluxDB protocol)'), group: 'intake' },
  intake_traces: { label: t('Traces (OTLP, Jaeger)'), group: 'intake' },
  intake_hep: { label: t('SIP captures (HEP)'), group: 'intake' },
  intake_recordings: { label: t('Recordings'), group: 'intake' },
  mail: { label: t('Email'), group: 'services' },
  stripe: { label: t('Stripe'), group: 'services' },
  alert_delivery: { label: t('Alert delivery'), group: 'services' },
  event_delivery: { label: t('Event delivery'), group: 'services' },
  tracing: { label: t('Trace collector'), group: 'services' },
  certificates: { label: t('TLS certificates'), group: 'services' },
  session_secret: { label: t('Session secret'), group: 'process' },
  clock: { label: t('Clock'), group: 'process' },
  event_loop: { label: t('Event loop'), group: 'process' },
  memory: { label: t('Memory'), group: 'process' },
} as const satisfies Record<string, PartInfo>
export type HealthPartName = keyof typeof HEALTH_PARTS

/** Worst last. */
export const HEALTH_STATES = ['ok', 'degraded', 'failing'] as const
export type HealthState = (typeof HEALTH_STATES)[number]
