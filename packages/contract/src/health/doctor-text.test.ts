import { expect, it } from 'vitest'
import type { DoctorReport } from './doctor.ts'
import { doctorSummary, doctorText } from './doctor-text.ts'

const report: DoctorReport = {
  version: '1.2.3',
  host: 'pbx',
  ran_at: '2026-01-31T12:00:00.000Z',
  seconds: 1,
  results: [
    { check: 'variables', outcome: 'ok', sentence: 'All variables are valid.', fix: null },
    { check: 'backups', outcome: 'warning', sentence: 'None.', fix: 'Set SWITCHROOM_BACKUP_TO.' },
    { check: 'database', outcome: 'problem', sentence: 'Gone.', fix: 'Start it.' },
    { check: 'migrations', outcome: 'not_checked', sentence: 'No database.', fix: null },
  ],
}

it('puts what is wrong first, the worst before the rest, then everything by group', () => {
  expect(doctorText(report)).toBe(`Switchroom 1.2.3 on pbx, 2026-01-31T12:00:00.000Z

PROBLEM  Database: Connection
  Gone.
  To fix it: Start it.

WARNING  Backups
  None.
  To fix it: Set SWITCHROOM_BACKUP_TO.

Configuration
  ok  Environment variables: All variables are valid.

Database
  --  Migrations: No database.

1 problem, 1 warning`)
})

it('says so when nothing is wrong', () => {
  expect(doctorSummary(report.results.slice(0, 1))).toBe('No problems found')
})
