import type { Section } from './section.ts'

export const callData = {
  title: 'Call data',
  intro:
    'A port alone listens on this machine only. See [Call data](call-data.md) for what each of these is good for.',
  variables: {
    SWITCHROOM_INGEST_INFLUX: {
      values: '`host:port` or `port`',
      unset: 'off',
      about: 'Accepts call records and alerts over the InfluxDB protocol. Usual port 8086.',
    },
    SWITCHROOM_INGEST_OTLP: {
      values: '`host:port` or `port`',
      unset: 'off',
      about:
        'Accepts traces as OTLP over HTTP, Jaeger Thrift or Zipkin JSON, like the next. Usual port 4318.',
    },
    SWITCHROOM_INGEST_JAEGER: {
      values: '`host:port` or `port`',
      unset: 'off',
      about: 'The same on a second port. Usual port 14268.',
    },
    SWITCHROOM_INGEST_HEP: {
      values: '`host:port` or `port`',
      unset: 'off',
      about: 'Accepts SIP and RTCP over HEPv3, UDP and TCP. Usual port 9060.',
    },
    SWITCHROOM_INGEST_HEP_KEY: { isSecret: true, about: 'Key that capture agents must send.' },
    SWITCHROOM_TELEMETRY_DAYS: 'Days to keep call records, alerts, traces and SIP.',
    SWITCHROOM_TELEMETRY_MAX_GB: 'Maximum size of call records and alerts.',
    SWITCHROOM_CLICKHOUSE_URL: {
      unset: 'off',
      about:
        'ClickHouse, to store call records, alerts, traces and SIP in. See [ClickHouse](clickhouse.md).',
    },
    SWITCHROOM_CLICKHOUSE_USER: { unset: 'default', about: 'User there.' },
    SWITCHROOM_CLICKHOUSE_PASSWORD: { isSecret: true, about: 'Password of that user.' },
    SWITCHROOM_CLICKHOUSE_DATABASE: 'Database there. It is created if it is missing.',
    SWITCHROOM_CLICKHOUSE_CLUSTER: {
      unset: 'a single server',
      about: 'Name of the cluster on which tables are replicated and distributed.',
    },
    SWITCHROOM_CLICKHOUSE_CA_FILE: {
      values: 'path',
      unset: 'off',
      about: 'PEM file with the certificate authority of ClickHouse.',
    },
    SWITCHROOM_CLICKHOUSE_SPOOL_MAX_GB:
      'Maximum size of what is kept in the data folder while ClickHouse is away: each for call records, traces and SIP.',
    SWITCHROOM_TRACES_MAX_GB: 'Maximum size of traces.',
    SWITCHROOM_CAPTURES_MAX_GB: 'Maximum size of SIP and RTCP.',
    SWITCHROOM_RECORDINGS_DAYS:
      'Days to keep recordings in the data folder, and what was heard in any recording.',
    SWITCHROOM_RECORDINGS_MAX_GB:
      'Their maximum size. Recordings that wait for their bucket may take as much again.',
    SWITCHROOM_RECORDINGS_AT_ONCE: 'Recordings that may arrive at the same time.',
    JAMBONZ_RECORD_WS_USERNAME:
      'Username of the media servers. Without one, recordings are accepted from private networks only, not through a proxy.',
    JAMBONZ_RECORD_WS_PASSWORD: { isSecret: true, about: 'Password of the media servers.' },
    JAMBONES_RECORD_WS_USERNAME: 'Other spelling of `JAMBONZ_RECORD_WS_USERNAME`.',
    JAMBONES_RECORD_WS_PASSWORD: {
      isSecret: true,
      about: 'Other spelling of `JAMBONZ_RECORD_WS_PASSWORD`.',
    },
    JAMBONES_TIME_SERIES_HOST: {
      values: '`host` or `host:port`',
      unset: 'off',
      about: 'InfluxDB 1.x, to read call records and alerts from. Default port 8086.',
    },
    JAEGER_BASE_URL: { unset: 'off', about: 'Jaeger, to read traces from.' },
    HOMER_BASE_URL: { unset: 'off', about: 'Homer 7, to read SIP from.' },
    HOMER_USERNAME: 'Required with `HOMER_BASE_URL`.',
    HOMER_PASSWORD: { isSecret: true, about: 'Required with `HOMER_BASE_URL`.' },
    AWS_REGION: {
      unset: 'off',
      about: 'Region of the platform’s CloudWatch logs, for the log of a call.',
    },
    SWITCHROOM_LOG_GROUPS: {
      values: 'names, comma-separated',
      about: 'CloudWatch log groups that callers may name besides `jambonz-feature_server`.',
    },
  },
} satisfies Section

export const backups = {
  title: 'Backups',
  intro: 'See [Back up and restore](backup.md).',
  variables: {
    SWITCHROOM_BACKUP_TO: { unset: 'off', about: 'Folder for scheduled backups.' },
    SWITCHROOM_BACKUP_AT: {
      values: '`hh:mm`',
      unset: '03:00',
      about: 'Local time of the daily backup.',
    },
    SWITCHROOM_BACKUP_EVERY_HOURS: 'A backup every so many hours, instead of daily.',
    SWITCHROOM_BACKUP_KEEP: 'How many scheduled backups are kept.',
    SWITCHROOM_BACKUP_RECORDINGS: 'Include recordings.',
    SWITCHROOM_BACKUP_PASSPHRASE_FILE: {
      values: 'path',
      about:
        'File with the passphrase of backups, at least 12 characters. This or the next is required with `SWITCHROOM_BACKUP_TO`.',
    },
    SWITCHROOM_BACKUP_PASSPHRASE: {
      isSecret: true,
      about: 'The passphrase itself, instead of a file.',
    },
  },
} satisfies Section
