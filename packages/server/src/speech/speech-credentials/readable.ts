import {
  allFields,
  type LastTestResult,
  type SpeechCredentialItem,
  vendorOf,
  withoutSecrets,
} from '@switchroom/contract'
import type { Selectable } from 'kysely'
import type { Tables } from '../../db/open.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import { configOf } from '../stored.ts'

export type Item = SpeechCredentialItem

type Row = Selectable<Tables['speech_credentials']>

/** The credential as returned by the API: with the vendor's settings, toggles as platform clients expect, and masked secrets. */
export function readable(
  box: SecretBox,
  { credential, ...stored }: Row,
  test_result?: LastTestResult,
): Item {
  const row = { ...stored, ...(test_result && { test_result }) }
  const vendor = vendorOf(row.vendor)
  const config = configOf(box, { vendor: row.vendor, credential })
  if (!vendor || !config) return { ...row, ...(vendor && { unreadable: true as const }) }
  const fields = allFields(vendor)
  const shown = Object.entries(withoutSecrets(vendor, config)).map(([key, value]) => {
    const field = fields[key]
    const asNumber = field?.kind === 'toggle' && !field.asBoolean
    return [key, asNumber ? Number(value) : value]
  })
  return { ...Object.fromEntries(shown), ...row }
}
