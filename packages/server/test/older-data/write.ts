import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  ALERT_LINES,
  CALL_LINES,
  CALLS,
  COUNT_LINES,
  frameOf,
  RECORDINGS,
  SIP,
  SPANS,
} from './sample.ts'

/**
 * Fills a data folder with the stores of another version of the product, whose sources are in `sources`:
 * `node write.ts <sources> <data folder>`. Knows what they were called at the time.
 */
const [sources, data] = process.argv.slice(2)
if (!sources || !data) throw new Error('usage: node write.ts <sources> <data folder>')

const HOST = '127.0.0.1'
const ANY = { host: HOST, port: 0 }
const KEPT = { days: 36_500, max_bytes: 1e12 }

/** The first of these modules that the version has; undefined if it is older than all. */
async function moduleOf(...files: string[]) {
  const file = files
    .map((name) => join(sources!, 'packages/server/src/stores', name))
    .find((path) => existsSync(path))
  return file === undefined ? undefined : import(pathToFileURL(file).href)
}

async function post(url: string, body: string, type = 'text/plain') {
  const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': type } })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
}

const calls = await moduleOf('calls/files/store.ts', 'embedded/store.ts')
const telemetry = calls.embeddedStores({ folder: join(data, 'telemetry'), listen: ANY, ...KEPT })
const port = await telemetry.open()
for (const [database, lines] of [
  ['cdrs', CALL_LINES],
  ['alerts', ALERT_LINES],
  ['call_counts', COUNT_LINES],
] as const)
  await post(`http://${HOST}:${port}/write?db=${database}&precision=n`, lines.join('\n'))
await telemetry.maintain()
await telemetry.close()

const traces = await moduleOf('traces/files/store.ts', 'traces/embedded.ts', 'traces/store.ts')
if (traces) {
  const store = traces.embeddedTraces({
    folder: join(data, 'traces'),
    listen: [ANY],
    words: { accounts: new Map(), unknown: undefined, key: 'key' },
    ...KEPT,
  })
  const [at] = await store.open()
  await post(`http://${HOST}:${at}/v1/traces`, JSON.stringify(SPANS), 'application/json')
  await store.close()
}

const captures = await moduleOf('sip/files/store.ts', 'captures/embedded.ts', 'captures/store.ts')
if (captures) {
  const store = captures.embeddedCaptures({
    folder: join(data, 'captures'),
    listen: ANY,
    key: undefined,
    ...KEPT,
  })
  const socket = connect(await store.open(), HOST)
  await once(socket, 'connect')
  socket.end(Buffer.concat(SIP.map(frameOf)))
  await once(socket.resume(), 'close')
  await store.close()
}

const voice = await moduleOf('voice/files/days.ts', 'voice/days.ts')
if (voice) {
  const days = new voice.Days({ folder: join(data, 'traces/voice'), ...KEPT })
  await days.keep(
    CALLS.filter(({ answered }) => answered).map((call) => ({
      trace_id: call.trace_id,
      call: {
        account_sid: call.account_sid,
        service_provider_sid: null,
        application_sid: null,
        call_sid: call.call_sid,
        sip_callid: call.sip_callid,
        trace_id: call.trace_id,
        from: call.from,
        to: call.to,
        trunk: call.trunk,
        direction: call.direction,
        answered: true,
        sip_status: 200,
        duration: call.duration,
        attempted_at: new Date(call.at).toISOString(),
      },
      counts: [
        { by: 'all', key: '', measure: 'calls', value: 0, n: 1 },
        { by: 'all', key: '', measure: 'turns', value: 0, n: 1 + (call.duration % 4) },
      ],
      words: ` said in ${call.call_sid} `,
    })),
  )
  days.close()
}

const recordings = await moduleOf('recordings/folder.ts')
if (recordings) {
  const store = recordings.folderStore({ folder: join(data, 'recordings'), ...KEPT })
  for (const { key, bytes } of RECORDINGS)
    await store.put(
      key,
      {
        size: bytes.length,
        read: (from: number, to: number) => [bytes.subarray(from, to)],
      },
      AbortSignal.timeout(60_000),
    )
}
process.exit(0)
