/** The groups of parts, in the order the screen shows them. */
export const HEALTH_GROUPS = {
  data: 'Data',
  records: 'Call records',
  intake: 'Intake from the platform',
  services: 'Outside services',
  process: 'This server',
} as const
export type HealthGroup = keyof typeof HEALTH_GROUPS

type PartInfo = {
  label: string
  group: HealthGroup
  /** Without it the server is not ready. */
  required?: true
}

/** Every part that reports its health. Names are stable: metrics and alert rules use them. */
export const HEALTH_PARTS = {
  database: { label: 'Database', group: 'data', required: true },
  database_pool: { label: 'Database connections', group: 'data' },
  redis: { label: 'Redis', group: 'data', required: true },
  migrations: { label: 'Database migrations', group: 'data', required: true },
  disk: { label: 'Disk space', group: 'data' },
  backup: { label: 'Backup', group: 'data' },
  influxdb: { label: 'InfluxDB', group: 'records' },
  homer: { label: 'Homer', group: 'records' },
  jaeger: { label: 'Jaeger', group: 'records' },
  telemetry_files: { label: 'Record files', group: 'records' },
  buckets: { label: 'Recording buckets', group: 'records' },
  intake_influx: { label: 'Call records and alerts (InfluxDB protocol)', group: 'intake' },
  intake_traces: { label: 'Traces (OTLP, Jaeger)', group: 'intake' },
  intake_hep: { label: 'SIP captures (HEP)', group: 'intake' },
  intake_recordings: { label: 'Recordings', group: 'intake' },
  mail: { label: 'Email', group: 'services' },
  stripe: { label: 'Stripe', group: 'services' },
  alert_delivery: { label: 'Alert delivery', group: 'services' },
  tracing: { label: 'Trace collector', group: 'services' },
  certificates: { label: 'TLS certificates', group: 'services' },
  session_secret: { label: 'Session secret', group: 'process' },
  clock: { label: 'Clock', group: 'process' },
  event_loop: { label: 'Event loop', group: 'process' },
  memory: { label: 'Memory', group: 'process' },
} as const satisfies Record<string, PartInfo>
export type HealthPartName = keyof typeof HEALTH_PARTS

/** Worst last. */
export const HEALTH_STATES = ['ok', 'degraded', 'failing'] as const
export type HealthState = (typeof HEALTH_STATES)[number]
