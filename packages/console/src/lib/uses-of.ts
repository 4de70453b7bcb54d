import type { UsedKind } from '@switchroom/contract'
import { query } from './api'
import { uses } from './endpoints'

/** What uses a thing. */
export const usesOf = (kind: UsedKind, sid: string) => ({
  ...query(uses.view, { params: { kind, sid } }),
  // said in the dialog that asks
  meta: { inline: true as const },
})
