type Info = {
  kind: 'gauge' | 'counter'
  help: string
  /** The name of its one label, whose values are few and fixed. */
  label?: string
}

/** Measurements of parts. Each is a metric named `switchroom_…`; none may be labelled by tenant or host. */
export const FIGURES = {
  database_answer_seconds: { kind: 'gauge', help: 'Time of the latest database check' },
  replica_behind_seconds: {
    kind: 'gauge',
    help: 'How far the replica was behind the database at the latest look',
  },
  redis_answer_seconds: { kind: 'gauge', help: 'Time of the latest Redis check' },
  disk_free_bytes: { kind: 'gauge', help: 'Free space for the data folder' },
  disk_size_bytes: { kind: 'gauge', help: 'Size of the file system with the data folder' },
  clock_offset_seconds: {
    kind: 'gauge',
    help: 'How far the clock of this server is ahead of the database’s',
  },
  event_loop_lag_seconds: {
    kind: 'gauge',
    help: '99th percentile of the event loop’s delay since the check before',
  },
  memory_used_ratio: {
    kind: 'gauge',
    help: 'Used memory, by limit: the heap’s, or the container’s',
    label: 'limit',
  },
  intake_latest_timestamp_seconds: {
    kind: 'gauge',
    help: 'When platform components last sent something, by listener',
    label: 'listener',
  },
  clickhouse_rows: { kind: 'gauge', help: 'Rows in ClickHouse, by table', label: 'table' },
  clickhouse_bytes: { kind: 'gauge', help: 'Size on ClickHouse’s disks, by table', label: 'table' },
  clickhouse_oldest_day_timestamp_seconds: {
    kind: 'gauge',
    help: 'The oldest day with call records in ClickHouse',
  },
  clickhouse_waiting_bytes: {
    kind: 'gauge',
    help: 'What waits in this process’s data folder for ClickHouse',
  },
  clickhouse_behind_seconds: { kind: 'gauge', help: 'How long the oldest of that has waited' },
  clickhouse_refused_rows: {
    kind: 'gauge',
    help: 'Rows that ClickHouse refused for their content, by table',
    label: 'table',
  },
  call_records_waiting_bytes: {
    kind: 'gauge',
    help: 'Call records and alerts that wait in the data folder for the file of their day',
  },
  call_records_behind_seconds: { kind: 'gauge', help: 'How long the oldest of these has waited' },
  certificate_expiry_timestamp_seconds: {
    kind: 'gauge',
    help: 'When the certificate of a server that this one connects to expires',
    label: 'endpoint',
  },
  alert_deliveries_overdue: {
    kind: 'gauge',
    help: 'Alerts that should have been sent five minutes ago or earlier',
  },
  recordings_failing_accounts: {
    kind: 'gauge',
    help: 'Accounts whose latest recording could not be stored',
  },
  backup_timestamp_seconds: {
    kind: 'gauge',
    help: 'When the latest verified backup was completed',
  },
  backup_bytes: { kind: 'gauge', help: 'Size of the latest verified backup' },
  mails_total: { kind: 'counter', help: 'Mails by outcome (sent, failed)', label: 'outcome' },
  webhook_log_total: {
    kind: 'counter',
    help: 'Requests for the webhook log, by outcome (written, failed, dropped)',
    label: 'outcome',
  },
  event_deliveries_total: {
    kind: 'counter',
    help: 'Attempts to send an event to a webhook, by outcome (delivered, failed)',
    label: 'outcome',
  },
  alert_deliveries_total: {
    kind: 'counter',
    help: 'Attempts to send an alert, by outcome (delivered, failed)',
    label: 'outcome',
  },
} as const satisfies Record<string, Info>
export type Figure = keyof typeof FIGURES
