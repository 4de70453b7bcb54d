import { VERSIONS } from '../../kit/formats.ts'
import { SegmentFile, type SegmentFormat } from '../../kit/segment-files.ts'
import { messageKindOf } from '../sip.ts'
import { type Captured, MAX_LEGS, MAX_MESSAGES, MAX_PER_LEG, type Wanted } from '../store.ts'

const SCHEMA = `
create table legs (id integer primary key, call_id text not null unique, parent text,
  messages integer not null default 0);
create index legs_parent on legs (parent) where parent is not null;
create table messages (id integer primary key, leg integer not null, sort text not null,
  time integer not null, source text not null, source_port integer not null, destination text not null,
  destination_port integer not null, transport text not null, node text not null, bytes blob not null);
create index messages_leg on messages (leg, sort, time);
`
const FORMAT: SegmentFormat = {
  version: VERSIONS.captures,
  schema: SCHEMA,
  steps: {},
  // agents get no confirmation, so writes need not survive a power cut
  synchronous: 'normal',
}
export type StoredMessage = Captured & { id: number }
type Row = {
  id: number
  time: number
  sort: string
  source: string
  source_port: number
  destination: string
  destination_port: number
  transport: string
  node: string
  call_id: string
  parent: string | null
  bytes: Uint8Array
}

/** A file of messages, indexed by Call-ID. */
export class Segment extends SegmentFile {
  constructor(file: string) {
    super(file, FORMAT)
  }

  /** Returns how many were dropped because their Call-ID had too many. */
  write(messages: Captured[]): number {
    let over = 0
    this.atOnce(() => {
      for (const m of messages) {
        const leg = this.get<{ id: number; messages: number }>(
          `insert into legs (call_id, parent, messages) values (?, ?, 1) on conflict (call_id)
            do update set messages = messages + 1, parent = coalesce(parent, excluded.parent)
            returning id, messages`,
          m.call_id,
          m.parent,
        )!
        if (leg.messages > MAX_PER_LEG) {
          over++
          continue
        }
        const { source, destination } = m
        this.sql(
          `insert into messages (leg, sort, time, source, source_port, destination, destination_port,
            transport, node, bytes) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ).run(
          leg.id,
          messageKindOf(m),
          m.time,
          source.address,
          source.port,
          destination.address,
          destination.port,
          m.transport,
          m.node,
          m.bytes,
        )
      }
    })
    return over
  }

  /** True if the segment has this message already. */
  hasMessage(m: Captured): boolean {
    const found = this.get(
      `select 1 from legs l join messages m on m.leg = l.id
        where l.call_id = ? and m.sort = ? and m.time = ? and m.bytes = ? limit 1`,
      m.call_id,
      messageKindOf(m),
      m.time,
      m.bytes,
    )
    return found !== undefined
  }

  count = () => this.get<{ n: number }>('select count(*) as n from messages')!.n

  /** Messages after this number, in order of their numbers. */
  after(id: number, limit: number): StoredMessage[] {
    const rows = this.iterate<Row>(
      `select m.*, l.call_id, l.parent from messages m join legs l on l.id = m.leg
        where m.id > ? order by m.id limit ?`,
      id,
      limit,
    )
    return Array.from(rows, messageOf)
  }

  /** The Call-ID of the leg that this one was made for. */
  parentOf(call_id: string): string | undefined {
    const leg = this.get<{ parent: string | null }>(
      'select parent from legs where call_id = ?',
      call_id,
    )
    return leg?.parent ?? undefined
  }

  /** The Call-IDs of legs made for one of these. */
  children(call_ids: readonly string[]): string[] {
    const legs = this.iterate<{ call_id: string }>(
      'select call_id from legs where parent in (select value from json_each(?)) limit ?',
      JSON.stringify(call_ids),
      MAX_LEGS,
    )
    return Array.from(legs, ({ call_id }) => call_id)
  }

  /** The first messages of a call, or the last of a registration; at most one more than is returned. */
  *read(call_ids: readonly string[], { kind, from, to }: Wanted): Generator<StoredMessage> {
    const sorts = kind === 'call' ? ['call', 'rtcp'] : ['registration']
    const order = kind === 'call' ? 'm.time, m.id' : 'm.time desc, m.id desc'
    const rows = this.iterate<Row>(
      `select m.*, l.call_id, l.parent from legs l join messages m on m.leg = l.id
        where l.call_id in (select value from json_each(?))
        and m.sort in (select value from json_each(?)) and m.time between ? and ?
        order by ${order} limit ?`,
      JSON.stringify(call_ids),
      JSON.stringify(sorts),
      from * 1_000,
      to * 1_000,
      MAX_MESSAGES + 1,
    )
    for (const row of rows) yield messageOf(row)
  }
}

const messageOf = (row: Row): StoredMessage => ({
  id: row.id,
  time: row.time,
  kind: row.sort === 'rtcp' ? 'rtcp' : 'sip',
  source: { address: row.source, port: row.source_port },
  destination: { address: row.destination, port: row.destination_port },
  transport: row.transport,
  node: row.node,
  call_id: row.call_id,
  parent: row.parent,
  bytes: row.bytes,
})
