import { type FileRead, IMPORT_KINDS, type ImportKind } from '@switchroom/contract'
import { send } from './api'
import { type Endpoint, preferences } from './endpoints'

const kindOf = ({ path }: Endpoint): ImportKind | undefined =>
  IMPORT_KINDS.find((kind) => path.endsWith(`/${kind}/Import`))

/** Columns that this user chose for headings in earlier imports of this kind. Empty if the request fails. */
export async function rememberedColumns(e: Endpoint): Promise<Map<string, string>> {
  const kind = kindOf(e)
  const kept = await send(preferences.view, {}).catch(() => undefined)
  return new Map(Object.entries((kind && kept?.import_columns?.[kind]) ?? {}))
}

const MOST = 100

/** Remembers what the headings of a file stand for. That it cannot be kept stops no import. */
export async function rememberColumns(e: Endpoint, { headings }: FileRead, columns: string[]) {
  const kind = kindOf(e)
  if (!kind) return
  const all = await rememberedColumns(e)
  for (const [i, { heading }] of headings.entries()) {
    // the latest last
    all.delete(heading)
    all.set(heading, columns[i] ?? '')
  }
  const latest = Object.fromEntries([...all].slice(-MOST))
  await send(preferences.update, { body: { import_columns: { [kind]: latest } } }).catch(
    () => undefined,
  )
}
