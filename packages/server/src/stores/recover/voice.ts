import { basename, dirname } from 'node:path'
import type { Call } from '@switchroom/contract'
import type { Count } from '../../talk/counts.ts'
import { isJson } from '../../talk/spans.ts'
import { formerName } from '../kit/damage.ts'
import { DayFiles } from '../kit/day-files.ts'
import { DAY_MS, type DayCall, VoiceDay } from '../voice/files/day.ts'
import type { Spoken } from '../voice/files/spoken.ts'
import type { VoiceCall } from '../voice/store.ts'
import { type Row, rowsOf } from './pages.ts'

const PAGE = 4_096
const AT_ONCE = 1_000

function jsonOf(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    return undefined
  }
}

/** The word of what is counted, by its number. Those of owners are shaped alike, and no count refers to them. */
function wordIn({ id, values }: Row): [number, string[]] | undefined {
  const word = values.length === 2 && values[0] === null ? jsonOf(values[1]) : undefined
  return Array.isArray(word) && word.length === 3 ? [id, word] : undefined
}

/** The trace of a call, by the call's number. */
function traceIn({ id, values }: Row): [number, string] | undefined {
  const trace = values.length === 8 ? values[1] : undefined
  return Buffer.isBuffer(trace) && trace.length === 16 ? [id, trace.toString('hex')] : undefined
}

/** What was said in a call, by the call's number. Counts, which have as many columns, are JSON. */
function spokenIn({ id, values }: Row): [number, Spoken] | undefined {
  const [, words, recorded] = values.length === 3 && values[0] === null ? values : []
  return isSpoken(words) && isSpoken(recorded) ? [id, { words, recorded }] : undefined
}
const isSpoken = (value: unknown): value is string =>
  typeof value === 'string' && (value === '' || value.startsWith(' '))

/** Saves the calls of a set-aside file that were not kept again since. Ends with how many. */
export function* saveVoiceDay(file: string): Generator<void, number> {
  const files = new DayFiles(dirname(file), 'write', (path, day) => new VoiceDay(path, day))
  const day = Date.parse(basename(formerName(file)).slice(0, 10)) / DAY_MS
  const words = new Map<number, string[]>()
  const traces = new Map<number, string>()
  const spoken = new Map<number, Spoken>()
  for (const row of rowsOf(file, PAGE)) {
    const word = wordIn(row)
    const trace = traceIn(row)
    if (word) words.set(...word)
    if (trace) traces.set(...trace)
    const said = spokenIn(row)
    if (said) spoken.set(...said)
  }
  let saved = 0
  let batch: DayCall[] = []
  const write = () => {
    const trace_ids = batch.map(({ trace_id }) => trace_id)
    const kept = new Set(files.days().flatMap((of) => [...files.open(of)!.find(trace_ids).keys()]))
    const missing = batch.filter(({ trace_id }) => !kept.has(trace_id))
    files.open(day)!.put(missing)
    saved += missing.length
    batch = []
  }
  for (const row of rowsOf(file, PAGE)) {
    const call = callIn(row, traces, words)
    if (call) batch.push({ ...call, ...spoken.get(row.id) })
    if (batch.length < AT_ONCE) continue
    write()
    yield
  }
  write()
  files.close()
  return saved
}

function callIn(
  { id, values }: Row,
  traces: ReadonlyMap<number, string>,
  words: ReadonlyMap<number, string[]>,
): VoiceCall | undefined {
  const trace_id = traces.get(id)
  if (values.length !== 3 || trace_id === undefined) return undefined
  const [call, counts] = [jsonOf(values[1]), jsonOf(values[2])]
  if (!isJson(call) || !Array.isArray(counts)) return undefined
  const read = counts.flatMap(([word, value, n]): Count[] => {
    const [by, key, measure] = words.get(word) ?? []
    // this program wrote them
    return measure === undefined ? [] : [{ by, key, measure, value, n } as Count]
  })
  // with a word missing, it would count for less than it does
  return read.length === counts.length ? { trace_id, call: call as Call, counts: read } : undefined
}
