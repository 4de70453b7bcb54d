import type { ClickHouse } from '../../clickhouse/client.ts'
import type { Rows } from '../../clickhouse/intake.ts'
import { RowBinary } from '../../clickhouse/row-binary.ts'
import { batchOf } from '../../clickhouse/tables.ts'
import { inviteOf } from '../recent-invites.ts'
import { messageKindOf } from '../sip.ts'
import {
  ancestors,
  type Capture,
  type Captured,
  type Invite,
  MAX_CAPTURE_BYTES,
  MAX_DEPTH,
  MAX_LEGS,
  MAX_MESSAGES,
  type Wanted,
} from '../store.ts'

/** The most calls that are announced at once: a call that is waited for is among the newest. */
const MOST_INVITES = 200

/** The rows of messages, and of the calls that they announce. */
export class MessageRows implements Rows<Captured> {
  #messages = new RowBinary()
  #invites = new RowBinary()

  add(message: Captured, written: bigint) {
    const { call_id, time, parent, source, destination, transport, node, bytes } = message
    const to = this.#messages
    to.text(call_id)
    to.text(messageKindOf(message))
    to.int64(BigInt(time))
    to.int64(written)
    to.text(parent ?? '')
    to.text(source.address)
    to.uint16(source.port)
    to.text(destination.address)
    to.uint16(destination.port)
    to.text(transport)
    to.text(node)
    to.string(bytes)
    const invite = inviteOf(message)
    if (!invite) return
    this.#invites.int64(written)
    this.#invites.text(call_id)
    this.#invites.textOrNull(invite.from)
    this.#invites.textOrNull(invite.to)
  }

  bytes = () => this.#messages.length + this.#invites.length

  batch: Rows<Captured>['batch'] = () =>
    batchOf({ messages: this.#messages, invites: this.#invites })

  clear() {
    this.#messages.clear()
    this.#invites.clear()
  }
}

type Row = {
  call_id: string
  sort: string
  time: string
  parent: string
  source: string
  source_port: number
  destination: string
  destination_port: number
  transport: string
  node: string
  bytes: string
}

/** SIP and RTCP captures in ClickHouse. */
export function clickHouseMessages(db: ClickHouse) {
  /**
   * The legs made for a call, downwards only. Callers may name any call as the one theirs was made for: following that
   * name would show other tenants' calls.
   */
  async function legsOf({ call_id, also = [], except = [], kind }: Wanted): Promise<string[]> {
    if (kind === 'registration') return [call_id]
    let last = [call_id, ...also]
    const found = new Set(last)
    for (let depth = 0; depth < MAX_DEPTH && last.length > 0; depth++) {
      const legs = await db.rows<{ call_id: string }>(
        `SELECT call_id FROM legs WHERE parent IN {parents:Array(String)}
         GROUP BY call_id ORDER BY min(at), call_id LIMIT ${MAX_LEGS}`,
        { parents: last },
      )
      last = legs
        .map((leg) => leg.call_id)
        .filter((id) => !found.has(id) && !except.includes(id))
        .slice(0, MAX_LEGS - found.size)
      for (const id of last) found.add(id)
    }
    return [...found]
  }

  async function parentOf(call_id: string): Promise<string | undefined> {
    const [row] = await db.rows<{ parent: string }>(
      `SELECT parent FROM messages WHERE call_id = {call_id:String} AND parent != '' ORDER BY time LIMIT 1`,
      { call_id },
    )
    return row?.parent
  }

  return {
    parentsOf: (call_id: string) => ancestors(call_id, parentOf),
    /** In order of time. If there are too many, a call's first or a registration's last ones. */
    async find(wanted: Wanted): Promise<Capture> {
      const legs = await legsOf(wanted)
      const isCall = wanted.kind === 'call'
      const way = isCall ? 'ASC' : 'DESC'
      const rows = db.stream<Row>(
        `SELECT call_id, sort, time, parent, source, source_port, destination, destination_port, transport, node,
           base64Encode(bytes) AS bytes FROM messages
         WHERE call_id IN {legs:Array(String)} AND sort IN {sorts:Array(String)}
           AND time BETWEEN {from:Int64} AND {to:Int64}
         ORDER BY time ${way}, at ${way} LIMIT ${MAX_MESSAGES + 1}`,
        {
          legs,
          sorts: isCall ? ['call', 'rtcp'] : ['registration'],
          from: microseconds(wanted.from),
          to: microseconds(wanted.to),
        },
      )
      const messages: Captured[] = []
      let size = 0
      let cut = false
      for await (const row of rows) {
        const message = messageOf(row)
        size += message.bytes.length
        cut = messages.length === MAX_MESSAGES || size > MAX_CAPTURE_BYTES
        if (cut) break
        messages.push(message)
      }
      return { messages: isCall ? messages : messages.reverse(), cut }
    },
    async invitesSince(at: number): Promise<Invite[]> {
      const rows = await db.rows<{
        call_id: string
        ms: string
        from: string | null
        to: string | null
      }>(
        `SELECT call_id, toUnixTimestamp64Milli(min(at)) AS ms, argMin(\`from\`, at) AS \`from\`, argMin(\`to\`, at) AS \`to\`
         FROM invites WHERE at >= fromUnixTimestamp64Milli({at:Int64}, 'UTC')
         GROUP BY call_id ORDER BY ms DESC LIMIT ${MOST_INVITES}`,
        { at: String(Math.max(0, Math.ceil(at))) },
      )
      return rows.map(({ ms, ...invite }) => ({ ...invite, at: Number(ms) }))
    },
  }
}

const LATEST = 9e15
/** Microseconds as text, clamped to the range that agents can send. */
const microseconds = (ms: number) => String(Math.max(0, Math.min(LATEST, Math.floor(ms * 1_000))))

const messageOf = (row: Row): Captured => ({
  time: Number(row.time),
  kind: row.sort === 'rtcp' ? 'rtcp' : 'sip',
  source: { address: row.source, port: row.source_port },
  destination: { address: row.destination, port: row.destination_port },
  transport: row.transport,
  node: row.node,
  call_id: row.call_id,
  parent: row.parent === '' ? null : row.parent,
  bytes: new Uint8Array(Buffer.from(row.bytes, 'base64')),
})
