import { createHash, randomUUID } from 'node:crypto'
import type { RedisOptions } from 'ioredis'
import { z } from 'zod'
import { ANYTHING, type Write, type WriteListener } from '../db/writes.ts'
import { every } from './every.ts'
import { connect, LIMITS, type RedisLimits } from './redis.ts'

/** Interval of the test whether other processes are still heard. */
const TRY_MS = 5_000

/** Tables whose writes are not shared: nobody caches them, and they are written all the time. */
const UNTOLD = new Set(['switchroom_live', 'switchroom_replica_beats'])

const Message = z.strictObject({
  from: z.string(),
  writes: z.array(
    z.strictObject({
      table: z.string().optional(),
      change: z.enum(['insert', 'update', 'delete']),
      columns: z.array(z.string()).optional(),
      sids: z.array(z.string()).optional(),
    }),
  ),
})

export type SharedWrites = {
  /**
   * Resolves once everything has been heard that other processes had told before. Rejects if Redis does not answer, and
   * at once if a connection to it is lost.
   */
  heard: () => Promise<void>
  close: () => Promise<void>
}

/**
 * Shares this process's writes with the other processes of the database, through Redis, and passes theirs to this one's
 * listeners. After a lost connection, theirs may have been anything.
 */
export function sharedWrites(
  options: RedisOptions,
  database: string,
  listeners: Set<WriteListener>,
  onError: (e: Error) => void,
  limits: RedisLimits = LIMITS,
): SharedWrites {
  const from = randomUUID()
  // other databases may have processes on the same Redis
  const channel = `switchroom:writes:${createHash('sha256').update(database).digest('hex').slice(0, 16)}`
  /** Channel on which only this process listens. Redis keeps the order over both. */
  const ownChannel = `${channel}:${from}`
  const publisher = connect(options, onError, limits)
  const subscriber = connect({ ...options, autoResubscribe: false }, onError, limits)
  const pulses = new Map<number, PromiseWithResolvers<void>>()
  let pulse = 0
  let isSubscribed = false
  /** True if other processes have not been told of every write. */
  let isUntold = false

  const publish = (message: z.input<typeof Message>) =>
    publisher.publish(channel, JSON.stringify(message))

  const tell: WriteListener = (writes) => {
    const told = writes.filter(({ table }) => table === undefined || !UNTOLD.has(table))
    if (told.length === 0) return
    // they hear it once Redis works again
    const fail = () => {
      isUntold = true
    }
    return publisher.status === 'ready'
      ? publish({ from, writes: copies(told) }).catch(fail)
      : fail()
  }
  listeners.add(tell)
  const tellRest = async () => {
    if (!isUntold) return
    await publish({ from, writes: copies([ANYTHING]) })
    isUntold = false
  }
  publisher.on('ready', () => {
    // tried again soon
    tellRest().catch(() => undefined)
  })

  const hear = (writes: readonly Write[]) => {
    for (const listener of listeners) if (listener !== tell) listener(writes)
  }
  subscriber.on('message', (of, text) => {
    if (of === ownChannel) return pulses.get(Number(text))?.resolve()
    const message = parsed(text)
    if (!message) return hear([ANYTHING])
    if (message.from !== from)
      hear(message.writes.map(({ table, ...rest }) => ({ table, ...rest })))
  })
  subscriber.on('ready', () => {
    // earlier messages were not heard
    subscriber.subscribe(channel, ownChannel).then(
      () => {
        isSubscribed = true
        hear([ANYTHING])
      },
      () => undefined,
    )
  })
  subscriber.on('close', () => {
    isSubscribed = false
    for (const one of pulses.values()) one.reject(new Error('Redis closed the connection'))
  })

  async function beat() {
    if (!isSubscribed || publisher.status !== 'ready') throw new Error('Redis is not connected')
    const own = ++pulse
    const back = Promise.withResolvers<void>()
    pulses.set(own, back)
    const timer = setTimeout(() => {
      back.reject(new Error('Redis did not pass a message on in time'))
      // nothing is owed on this connection, so that nobody else sees that it is dead
      if (subscriber.status === 'ready') subscriber.disconnect(true)
    }, limits.command_ms)
    try {
      await Promise.all([publisher.publish(ownChannel, String(own)), back.promise])
    } finally {
      clearTimeout(timer)
      pulses.delete(own)
    }
  }
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined
  /** Callers during a round trip share the next one. */
  function heard() {
    next ??= last.then(() => {
      next = undefined
      const own = beat()
      last = own.catch(() => undefined)
      return own
    })
    return next
  }
  const trying = every(TRY_MS, () => tellRest().then(heard), { onError: () => undefined })

  return {
    heard,
    async close() {
      await trying.stop()
      listeners.delete(tell)
      publisher.disconnect()
      subscriber.disconnect()
    },
  }
}

const copies = (writes: readonly Write[]) =>
  writes.map(({ table, change, columns, sids }) => ({
    change,
    ...(table !== undefined && { table }),
    ...(columns && { columns: [...columns] }),
    ...(sids && { sids: [...sids] }),
  }))

function parsed(text: string) {
  try {
    return Message.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
