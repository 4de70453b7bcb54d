import { ascendingUuids } from '../db/ascending-uuids.ts'
import type { Stage, Transact } from '../db/bulk.ts'
import { insertMany } from '../db/insert-many.ts'
import type { Db } from '../db/open.ts'
import type { Context } from '../http/context.ts'
import { every } from '../live/every.ts'
import { type Actor, type Entry, linkAll, type Row, requireHead, unlinked } from './record.ts'

export type PendingRow = Omit<Row, 'seq' | 'hash'>

/** About a thousand entries of phone numbers: the log is locked for some 20 ms. */
const BATCH_LENGTH = 600_000

/** Interval at which entries of stopped processes are looked for. */
const LOOK_MS = 10_000

/**
 * Collects entries that `seal` links to the audit log after they are stored: for so many at once that other writers
 * would wait too long for the log.
 */
export function deferred(actor: Actor) {
  const at = new Date().toISOString()
  // batches are linked in the order of their sids
  const newSid = ascendingUuids()
  const batches: { batch_sid: string; entries: string }[] = []
  let texts: string[] = []
  let length = 0
  const endBatch = () => {
    if (texts.length > 0) batches.push({ batch_sid: newSid(), entries: `[${texts.join()}]` })
    texts = []
    length = 0
  }
  return {
    add(entry: Entry) {
      const text = JSON.stringify(unlinked(actor, entry, at) satisfies PendingRow)
      texts.push(text)
      length += text.length
      if (length > BATCH_LENGTH) endBatch()
    },
    /** Stores them, in the transaction of their change. */
    async store(tx: Db) {
      endBatch()
      // entries that nobody could link are not stored
      await requireHead(tx)
      for (const batch of batches) await insertMany(tx, 'switchroom_audit_pending', [batch])
    },
    /** Stages them: `store` has none left to insert. */
    async stage(stage: Stage) {
      endBatch()
      for (const batch of batches.splice(0)) await stage.add('switchroom_audit_pending', [batch])
    },
  }
}

/** Links all deferred entries, a batch in each transaction. Several processes may do so at once. */
export async function seal(transact: Transact) {
  while (await transact(sealBatch, {})) {
    // the next one
  }
}

async function sealBatch(tx: Db) {
  // locks the log, so that nobody else seals the same batch
  return linkAll(tx, async () => {
    const batch = await tx
      .selectFrom('switchroom_audit_pending')
      .selectAll()
      .orderBy('batch_sid')
      .limit(1)
      .executeTakeFirst()
    if (!batch) return undefined
    const { batch_sid } = batch
    await tx.deleteFrom('switchroom_audit_pending').where('batch_sid', '=', batch_sid).execute()
    return JSON.parse(batch.entries) as PendingRow[]
  })
}

const isAnyPending = async (db: Db) =>
  (await db.selectFrom('switchroom_audit_pending').select('batch_sid').limit(1).execute()).length >
  0

/** Seals entries of a process that stopped after an import, at once and then regularly. */
export const startSealing = ({ db, bulk, log }: Pick<Context, 'db' | 'bulk' | 'log'>) =>
  every(
    LOOK_MS,
    async () => {
      if (await isAnyPending(db)) await bulk(seal)
    },
    {
      atOnce: true,
      onError: (err) => log.error({ err }, 'entries could not be added to the audit log'),
    },
  )
