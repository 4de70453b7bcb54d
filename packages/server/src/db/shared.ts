import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import {
  type Db,
  isUndone,
  isUnreachable,
  kindOf,
  type Left,
  leftIn,
  turnToWrite,
  undone,
} from './open.ts'
import { isClustered, lockName, takeTurn, transaction, untilCommitted } from './transaction.ts'
import { changesOn } from './writes.ts'

/** Most changes together: more would keep the first of them waiting. */
const MOST_TOGETHER = 32
/** Concurrent transactions on MySQL. With more, each would have fewer changes. */
const LANES = 2
/** After a failed change, this many transactions have savepoints, which cost one statement per change. */
const CAREFUL = 20
/** A transaction that takes longer, as one that waits for a lock, is not waited for. */
const LATE_MS = 100

type Work<T> = (tx: Db) => Promise<T>
type Outcome = { result: unknown } | { error: unknown }
type Lane = { began: number }

type Member = {
  work: Work<unknown>
  lock: string | undefined
  settle: (outcome: Outcome) => void
  /** Runs something for its request, as traces and the log show it. */
  forIt: ReturnType<typeof AsyncLocalStorage.snapshot>
}

/**
 * Like `transaction`, for small changes: concurrent ones share a transaction, and so the write to disk. They are
 * isolated from each other's failures: one that fails is undone alone, and none is reported as done before all are
 * committed. See docs/adr/056-shared-transactions.md.
 */
export function sharedTransaction<T>(
  db: Db,
  work: Work<T>,
  { lock }: { lock?: string | undefined } = {},
): Promise<T> {
  // a part of one that is open already
  if (db.isTransaction) return work(db)
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const settle = (outcome: Outcome) =>
    'error' in outcome ? reject(outcome.error) : resolve(outcome.result as T)
  sharingOf(db).add({ work, lock, settle, forIt: AsyncLocalStorage.snapshot() })
  return promise
}

const known = new WeakMap<Db, Sharing>()

function sharingOf(db: Db) {
  const sharing = known.get(db) ?? new Sharing(db)
  known.set(db, sharing)
  return sharing
}

class Sharing {
  #db: Db
  #waiting: Member[] = []
  #lanes = new Set<Lane>()
  /** Locks of the transactions that are open. */
  #held = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #careful = 0

  constructor(db: Db) {
    this.#db = db
  }

  add(member: Member) {
    this.#waiting.push(member)
    this.#open()
  }

  #open() {
    const isFile = kindOf(this.#db) === 'sqlite'
    const began = performance.now() - LATE_MS
    // a file has one writer, who is always waited for
    const busy = [...this.#lanes].filter((lane) => isFile || lane.began > began)
    if (busy.length < (isFile ? 1 : LANES)) void this.#run(isFile)
    else if (!isFile)
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined
        if (this.#isAnyFree()) this.#open()
      }, LATE_MS).unref()
  }

  async #run(isFile: boolean) {
    const lane: Lane = { began: 0 }
    this.#lanes.add(lane)
    while (this.#isAnyFree()) {
      lane.began = performance.now()
      // requests that have arrived as well: an embedded database lets none in between
      await setImmediate()
      const [first] = this.#waiting
      if (first) await first.forIt(() => (isFile ? this.#onFile() : this.#onServer()))
    }
    this.#lanes.delete(lane)
  }

  #isFree = ({ lock }: Member) => lock === undefined || !this.#held.has(lock)
  #isAnyFree = () => this.#waiting.some(this.#isFree)

  /** Runs the waiting changes, also those that arrive while the transaction is open. */
  async #onFile() {
    const taken: Member[] = []
    const next = () => {
      const member = taken.length < MOST_TOGETHER ? this.#waiting.shift() : undefined
      if (member) taken.push(member)
      return member
    }
    let outcomes: Outcome[] = []
    let isEnding = false
    try {
      await this.#db.transaction().execute(async (tx) => {
        outcomes = await together(tx, next, { isCareful: true })
        isEnding = true
      })
    } catch (error) {
      // it could not begin
      if (taken.length === 0) taken.push(...this.#waiting.splice(0))
      if (areAllToBlame(error, taken, isEnding)) outcomes = taken.map(() => ({ error }))
      else {
        for (const member of taken) this.#alone(member)
        return
      }
    }
    for (const [i, { settle }] of taken.entries()) settle(outcomes[i]!)
  }

  /**
   * Runs the changes that are waiting when its transaction begins: it sees the data as of then, so a change with a lock
   * must hold it before. Locks held elsewhere are waited for alone.
   */
  async #onServer() {
    let taken: Member[] = []
    try {
      const endTurn = await turnToWrite(this.#db)
      try {
        await this.#db.connection().execute(async (connection) => {
          taken = this.#take()
          if (taken.length > 0) await this.#under(connection, taken)
        })
      } finally {
        endTurn?.()
      }
    } catch (error) {
      if (taken.length === 0) taken = this.#take()
      for (const { settle } of taken) settle({ error })
    } finally {
      for (const { lock } of taken) if (lock) this.#held.delete(lock)
    }
  }

  #take() {
    const free = this.#waiting.filter(this.#isFree).slice(0, MOST_TOGETHER)
    this.#waiting = this.#waiting.filter((member) => !free.includes(member))
    for (const { lock } of free) if (lock) this.#held.add(lock)
    return free
  }

  async #under(connection: Db, members: Member[]) {
    const locks = [...new Set(members.flatMap(({ lock }) => lock ?? []))]
    const got = await takeFree(connection, locks)
    const have = (lock: string | undefined) => lock === undefined || got.includes(lock)
    const alone = members.filter(({ lock }) => !have(lock))
    const sharing = members.filter(({ lock }) => have(lock))
    const outcomes =
      sharing.length > 0
        ? await this.#committed(connection, sharing).finally(() => giveBack(connection, got))
        : []
    for (const [i, member] of sharing.entries()) {
      const outcome = outcomes?.[i]
      if (outcome) member.settle(outcome)
      else alone.push(member)
    }
    for (const member of alone) this.#alone(member)
  }

  #alone = ({ forIt, work, lock, settle }: Member) => {
    forIt(() => transaction(this.#db, work, { lock })).then(
      (result) => settle({ result }),
      (error: unknown) => settle({ error }),
    )
  }

  /** Undefined if each has to be tried alone. */
  async #committed(connection: Db, members: Member[]): Promise<Outcome[] | undefined> {
    let outcomes: Outcome[] = []
    let isEnding = false
    let begun: Db | undefined
    const isClusterNode = await isClustered(this.#db, connection)
    const attempt = (isCareful: boolean) =>
      untilCommitted(connection, async (tx) => {
        begun = tx
        isEnding = false
        const left = members.values()
        outcomes = await together(tx, () => left.next().value, { isCareful, isClusterNode })
        isEnding = true
      })
    try {
      if (members.length === 1) await attempt(false)
      else {
        const isCareful = this.#careful > 0
        if (isCareful) this.#careful -= 1
        await attempt(isCareful).catch((error: unknown) => {
          if (!(error instanceof LeftBehind)) throw error
          this.#careful = CAREFUL
          if (begun) undone.add(begun)
          return attempt(true)
        })
      }
      return outcomes
    } catch (thrown) {
      const error: unknown = thrown instanceof LeftBehind ? thrown.cause : thrown
      if (areAllToBlame(error, members, isEnding)) return members.map(() => ({ error }))
      if (begun) undone.add(begun)
      return undefined
    }
  }
}

/** A failed change had already written, and there is no savepoint to go back to. */
class LeftBehind extends Error {}

/** True if no change is retried: the failure would repeat for each, or they may have been committed. */
const areAllToBlame = (error: unknown, { length }: Member[], isEnding: boolean) =>
  isEnding || length <= 1 || isUnreachable(error)

/**
 * Runs changes one after another, then the work they left to the end. With `isCareful` each has a savepoint; otherwise
 * one that fails after a write fails all of them.
 */
async function together(
  tx: Db,
  next: () => Member | undefined,
  { isCareful, isClusterNode = false }: { isCareful: boolean; isClusterNode?: boolean },
) {
  const isFile = kindOf(tx) === 'sqlite'
  const changes = await changesOn(tx)
  const outcomes: Outcome[] = []
  const left: Left[] = []
  leftIn.set(tx, left)
  for (let member = next(); member; member = next()) {
    const { work, lock, forIt } = member
    const before = { left: left.length, changes: changes() }
    if (isCareful) await sql`savepoint one_change`.execute(tx)
    try {
      if (isClusterNode && lock) await takeTurn(tx, lock)
      outcomes.push({ result: await forIt(() => work(tx)) })
    } catch (error) {
      if (isUndone(error)) throw error
      const hasWritten = changes() > before.changes
      if (hasWritten && !isCareful) throw new LeftBehind('', { cause: error })
      left.length = before.left
      outcomes.push({ error })
      // fails if the database has undone the others as well
      if (hasWritten) await sql`rollback to savepoint one_change`.execute(tx)
    }
    if (!isFile) continue
    await sql`release savepoint one_change`.execute(tx)
    // readers get a turn, and writers may still join
    await setImmediate()
  }
  leftIn.delete(tx)
  const byWork = Map.groupBy(left, ({ work }) => work)
  for (const [work, items] of byWork) await work(tx, items.map(({ item }) => item) as never[])
  return outcomes
}

/** Takes those locks that nobody holds. */
async function takeFree(connection: Db, locks: string[]) {
  if (locks.length === 0) return []
  const each = locks.map((lock, i) => sql`get_lock(${lockName(lock)}, 0) as ${sql.ref(`l${i}`)}`)
  const { rows } = await sql<Record<string, number | null>>`select ${sql.join(each)}`.execute(
    connection,
  )
  return locks.filter((_, i) => rows[0]?.[`l${i}`] === 1)
}

async function giveBack(connection: Db, locks: string[]) {
  if (locks.length === 0) return
  const each = locks.map((lock) => sql`release_lock(${lockName(lock)})`)
  await sql`select ${sql.join(each)}`.execute(connection)
}
