import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Calls } from '../../src/stores/calls/files/calls.ts'
import { Folder } from '../../src/stores/calls/files/folder.ts'
import { Points } from '../../src/stores/calls/files/points.ts'
import { folderStore } from '../../src/stores/recordings/folder.ts'
import { Segments as Captures } from '../../src/stores/sip/files/segments.ts'
import { Segments as Traces } from '../../src/stores/traces/files/segments.ts'
import { Days } from '../../src/stores/voice/files/days.ts'
import { ACCOUNTS, APPLICATION, CALLS, DAYS, PROVIDER, RECORDINGS } from './sample.ts'

export const KEPT = { days: 36_500, max_bytes: 1e12 }
const FROM = Date.parse(`${DAYS[0]}T00:00:00Z`)
const SPAN = { from: FROM, to: FROM + DAYS.length * 86_400_000 }
const PART = { from: FROM + 5 * 3_600_000, to: FROM + 50 * 3_600_000 }
const ALL = { limit: 1_000, offset: 0 }
const OWNERS = [
  {},
  { service_provider_sid: PROVIDER },
  ...ACCOUNTS.map((account_sid) => ({ account_sid })),
]

/** Answers of a folder's call records and alerts to every query. */
export async function callAnswers(folder: string) {
  const days = new Folder(folder, 'read')
  const calls = new Calls(days, () => 0)
  const points = new Points(calls)
  const filters = OWNERS.flatMap((owner) => [
    { ...owner, ...SPAN },
    { ...owner, ...PART },
    { ...owner, ...SPAN, answered: false },
    { ...owner, ...SPAN, trunk: 'north', direction: 'inbound' as const },
    { ...owner, ...SPAN, application_sid: APPLICATION },
    { ...owner, ...SPAN, sip_status: 503 },
    ...['1508', '+49301000007', 'Zoë', '7', '+4930 10', CALLS[20]!.call_sid].map((text) => ({
      ...owner,
      ...SPAN,
      text,
    })),
  ])
  const trunks = [{ trunk: 'north' }, { trunk: 'south', account_sid: ACCOUNTS[1] }]
  const answers = {
    lists: await Promise.all(filters.map((filter) => calls.list(filter, ALL))),
    found: await Promise.all(
      CALLS.flatMap(({ call_sid, sip_callid, trace_id }) => [
        calls.find({}, { call_sid }),
        calls.find({}, { sip_callid }),
        calls.find({}, { trace_id }),
      ]),
    ),
    figures: await Promise.all(
      OWNERS.flatMap((owner) =>
        [SPAN, PART].flatMap((span) =>
          ['Europe/Berlin', 'Asia/Kolkata'].map((zone) => calls.figures(owner, span, zone)),
        ),
      ),
    ),
    trunks: await calls.trunks(trunks, SPAN, { unit: 'hour', answer_times: true }),
    failures: await Promise.all(trunks.map((trunk) => calls.trunkFailures(trunk, SPAN))),
    dialed: await calls.dialed({}, SPAN, 1_000),
    attempts: await calls.attempts({}, SPAN, 3_600_000),
    alerts: await Promise.all(OWNERS.map((owner) => points.alerts({ ...owner, ...SPAN }, ALL))),
    counts: points.list(
      {
        database: 'call_counts',
        measurement: 'call_counts',
        is: {},
        from: nsOf(SPAN.from),
        to: nsOf(SPAN.to),
      },
      ALL,
      true,
    ),
  }
  days.close()
  return answers
}
const nsOf = (ms: number) => BigInt(ms) * 1_000_000n

/** Answers of a data folder; undefined for parts that its version did not have. */
export async function dataAnswers(data: string) {
  const folderOf = (name: string) => (existsSync(join(data, name)) ? join(data, name) : undefined)
  return {
    calls: await callAnswers(join(data, 'telemetry')),
    traces: await answersIn(folderOf('traces'), traceAnswers),
    voice: await answersIn(folderOf('traces/voice'), voiceAnswers),
    captures: await answersIn(folderOf('captures'), captureAnswers),
    recordings: await answersIn(folderOf('recordings'), recordingAnswers),
  }
}
export type DataAnswers = Awaited<ReturnType<typeof dataAnswers>>

const answersIn = async <T>(folder: string | undefined, ask: (folder: string) => Promise<T>) =>
  folder === undefined ? undefined : ask(folder)

async function traceAnswers(folder: string) {
  const traces = new Traces({ folder, ...KEPT })
  const found = CALLS.map(({ trace_id }) => traces.find(trace_id))
  const arrived = await traces.due(Number.MAX_SAFE_INTEGER, 1_000, [])
  traces.close()
  return { found, arrived: arrived.map(({ trace_id }) => trace_id).sort() }
}

async function voiceAnswers(folder: string) {
  const days = new Days({ folder, ...KEPT })
  const owner = { account_sid: ACCOUNTS[0] }
  const figures = await days.figures(owner, SPAN, {})
  const counted = { by: 'all', key: '', measure: 'turns' } as const
  const list = await days.list({ ...owner, ...SPAN, counted }, ALL)
  days.close()
  return { figures, list }
}

async function captureAnswers(folder: string) {
  const captures = new Captures({ folder, ...KEPT })
  const found = CALLS.map(({ sip_callid: call_id }) =>
    captures.find({ call_id, kind: 'call', ...SPAN }),
  )
  captures.close()
  return found
}

async function recordingAnswers(folder: string) {
  const store = folderStore({ folder, ...KEPT })
  return Promise.all(
    RECORDINGS.map(async ({ key, bytes }) => {
      const opened = await store.open(key, { from: 0, to: bytes.length - 1 })
      return String(await buffer(opened))
    }),
  )
}
