import { type FileRead, IMPORT_KINDS, type ImportKind } from '@switchroom/contract'
import { send } from './api'
import { type Endpoint, preferences } from './endpoints'

const kindOf = ({ path }: Endpoint): ImportKind | undefined =>
  IMPORT_KINDS.find((kind) => path.endsWith(`/${kind}/Import`))

/** What this person's headings stood for in earlier imports of this kind. Without an answer, nothing. */
export async function rememberedColumns(e: Endpoint): Promise<Record<string, string>> {
  const kind = kindOf(e)
  const kept = await send(preferences.view, {}).catch(() => undefined)
  return (kind && kept?.import_columns?.[kind]) ?? {}
}

const MOST = 100

/** Remembers what the headings of a file stand for. That it cannot be kept stops no import. */
export async function rememberColumns(e: Endpoint, { headings }: FileRead, columns: string[]) {
  const kind = kindOf(e)
  if (!kind) return
  const these = headings.map(({ heading }, i) => [heading, columns[i] ?? ''])
  const all = { ...(await rememberedColumns(e)), ...Object.fromEntries(these) }
  const latest = Object.fromEntries(Object.entries(all).slice(-MOST))
  await send(preferences.update, { body: { import_columns: { [kind]: latest } } }).catch(
    () => undefined,
  )
}
