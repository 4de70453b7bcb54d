import { t } from '../wire/text.ts'

/** The groups of checks, in the order they are shown. */
export const DOCTOR_GROUPS = {
  configuration: t('Configuration'),
  machine: t('This machine'),
  database: t('Database'),
  redis: t('Redis'),
  records: t('Call data'),
  network: t('Addresses and certificates'),
  platform: t('Platform'),
  operation: t('Operation'),
} as const
export type DoctorGroup = keyof typeof DOCTOR_GROUPS

/** Every check of `npm run doctor`, in the order they are shown. */
export const DOCTOR_CHECKS = {
  variables: { label: t('Environment variables'), group: 'configuration' },
  secrets: { label: t('Secrets'), group: 'configuration' },
  allowed_networks: { label: t('Allowed networks'), group: 'configuration' },
  data_folder: { label: t('Data folder'), group: 'machine' },
  disk: { label: t('Disk space'), group: 'machine' },
  ports: { label: t('Ports'), group: 'machine' },
  clock: { label: t('Clock'), group: 'machine' },
  database: { label: t('Connection'), group: 'database' },
  database_rights: { label: t('Rights'), group: 'database' },
  database_shape: { label: t('Tables and columns'), group: 'database' },
  migrations: { label: t('Migrations'), group: 'database' },
  database_settings: { label: t('Settings'), group: 'database' },
  stored_secrets: { label: t('Stored credentials'), group: 'database' },
  upgrade: { label: t('Upgrade of the data folder'), group: 'records' },
  redis: { label: t('Connection'), group: 'redis' },
  redis_writes: { label: t('Writes and memory'), group: 'redis' },
  influxdb: { label: 'InfluxDB', group: 'records' },
  clickhouse: { label: 'ClickHouse', group: 'records' },
  jaeger: { label: t('Jaeger'), group: 'records' },
  homer: { label: t('Homer'), group: 'records' },
  base_url: { label: t('Public address'), group: 'network' },
  proxy: { label: t('Reverse proxy'), group: 'network' },
  certificates: { label: t('Certificates'), group: 'network' },
  realms: { label: t('DNS of SIP realms'), group: 'network' },
  sbcs: { label: 'SBCs', group: 'platform' },
  feature_servers: { label: t('Feature servers'), group: 'platform' },
  mail: { label: t('Email'), group: 'operation' },
  backups: { label: t('Backups'), group: 'operation' },
} as const satisfies Record<string, { label: string; group: DoctorGroup }>
export type DoctorCheckName = keyof typeof DOCTOR_CHECKS

/** Worst first. `not_checked`: it cannot be known now, and another result says why. */
export const DOCTOR_OUTCOMES = ['problem', 'warning', 'not_checked', 'ok'] as const
export type DoctorOutcome = (typeof DOCTOR_OUTCOMES)[number]
