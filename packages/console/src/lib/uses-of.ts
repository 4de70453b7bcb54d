import type { UsedKind } from '@switchroom/contract'
import { query } from './api'
import { uses } from './endpoints'

/** Query for the usage of a resource. */
export const usesOf = (kind: UsedKind, sid: string) => ({
  ...query(uses.view, { params: { kind, sid } }),
  // said in the dialog that asks
  meta: { inline: true as const },
})
