import type { Database, Row } from './database.ts'
import { refuse } from './wire.ts'

/** Webhooks are nested in their resource and stored in their own table. */

/** Replaces `call_hook_sid` and the like with the webhooks they refer to. */
export async function withHooks(db: Database, row: Row, names: string[], own: boolean) {
  const shown = { ...row }
  for (const name of names) {
    const hook = row[`${name}_sid`] && (await db.row('webhooks', 'webhook_sid', row[`${name}_sid`]))
    delete shown[`${name}_sid`]
    if (hook && !own) delete (hook as Row).webhook_sid
    shown[name] = hook || null
  }
  return shown
}

/** Updates the hook's row, or adds one. Resolves to its sid. */
export async function storeHook(db: Database, hook: Row) {
  const { webhook_sid, ...columns } = hook
  if (!webhook_sid) return db.insert('webhooks', 'webhook_sid', columns)
  await db.update('webhooks', 'webhook_sid', webhook_sid, columns)
  return webhook_sid
}

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null

/** Stores the hooks of a new resource. Those without a URL are ignored. */
export async function addHooks(db: Database, body: Row, names: string[], what: string) {
  const columns = { ...body }
  for (const name of names) {
    const hook = body[name]
    delete columns[name]
    if (hook && !isObject(hook)) refuse(400, `'${name}' must be an object when adding ${what}`)
    if (isObject(hook) && hook.url) columns[`${name}_sid`] = await storeHook(db, hook)
  }
  return columns
}

/** Updates a resource's hooks. Absent means unchanged; null, `{}` and an empty URL clear the hook. */
export async function changeHooks(db: Database, body: Row, names: string[]) {
  const columns = { ...body }
  for (const name of names) {
    if (!(name in body)) continue
    const hook = body[name]
    delete columns[name]
    columns[`${name}_sid`] = isObject(hook) && hook.url ? await storeHook(db, hook) : null
  }
  return columns
}
