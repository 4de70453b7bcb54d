import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Segment } from '../traces/files/segment.ts'
import { Segments } from '../traces/files/segments.ts'

let folder: string
let open: { close: () => void }[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-segments-'))
  open = []
})
afterEach(() => {
  for (const one of open) one.close()
  rmSync(folder, { recursive: true, force: true })
})

const traceId = (n: number) => n.toString(16).padStart(32, '0')
const batch = (n: number) => ({
  origin: { resource: [], scope: { name: 'feature-server', version: '1' } },
  spans: [
    {
      traceId: traceId(n),
      spanId: 'cd'.repeat(8),
      parentSpanId: '',
      name: 'call',
      kind: 'SPAN_KIND_SERVER',
      startTimeUnixNano: '1700000000000000000',
      endTimeUnixNano: '1700000001000000000',
      attributes: [],
    },
  ],
})
const files = () => readdirSync(folder).filter((name) => name.endsWith('.db'))
function start() {
  const segments = new Segments({ folder, days: 30, max_bytes: 1e9 })
  open.push(segments)
  return segments
}
/** Holds a file, as another program may. */
function lock(name: string) {
  const db = new DatabaseSync(join(folder, name))
  db.exec('begin immediate')
  let isOpen = true
  const release = () => {
    if (isOpen) db.close()
    isOpen = false
  }
  open.push({ close: release })
  return release
}

it('writes into a fresh file while another program holds the newest', () => {
  const segments = start()
  segments.write([batch(1)])
  lock(files()[0]!)
  for (const n of [2, 3]) segments.write([batch(n)])
  expect(files()).toHaveLength(2)
  for (const n of [1, 2, 3]) expect(segments.find(traceId(n)), String(n)).toBeDefined()
})

it('leaves no file behind if the fresh one cannot be written either', () => {
  const segments = start()
  segments.write([batch(1)])
  const { write } = Segment.prototype
  Segment.prototype.write = () => {
    throw Object.assign(new Error('disk I/O error'), { errcode: 778 })
  }
  try {
    for (const n of [2, 3]) expect(() => segments.write([batch(n)])).toThrow('disk I/O error')
  } finally {
    Segment.prototype.write = write
  }
  expect(files()).toHaveLength(1)
  segments.write([batch(4)])
  expect(segments.find(traceId(4))).toBeDefined()
})

it('opens a file later that another program holds at the start', () => {
  const before = start()
  before.write([batch(1)])
  before.close()
  const [name] = files()
  const db = new DatabaseSync(join(folder, name!))
  db.exec('pragma locking_mode = exclusive; begin exclusive')
  open.push({ close: () => db.isOpen && db.close() })
  const segments = start()
  segments.write([batch(2)])
  expect(segments.find(traceId(1))).toBeUndefined()
  db.close()
  segments.forget()
  for (const n of [1, 2]) expect(segments.find(traceId(n)), String(n)).toBeDefined()
})
