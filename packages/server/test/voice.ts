import type { Call } from '@switchroom/contract'
import { clickHouse } from '../src/stores/clickhouse/client.ts'
import { prepareTables } from '../src/stores/clickhouse/prepare-tables.ts'
import { clickHouseVoice } from '../src/stores/voice/clickhouse/store.ts'
import { embeddedVoice } from '../src/stores/voice/files/store.ts'
import type { VoiceStore } from '../src/stores/voice/store.ts'
import { ownClickHouse, type ownOrClickHouse } from './clickhouse.ts'

/** A store of conversation figures. */
export async function testVoice(
  kind: (typeof ownOrClickHouse)[number],
  folder: string,
): Promise<VoiceStore> {
  if (kind === 'embedded') return embeddedVoice({ folder, days: 30, max_bytes: 1e12 })
  const { settings, drop } = ownClickHouse(folder)
  // in the product, the thread of the traces does
  const server = clickHouse(settings.clickhouse, { isMissing: true })
  await prepareTables(server, { ...settings.clickhouse, days: settings.days })
  await server.close()
  const store = clickHouseVoice(settings.clickhouse, settings.days)
  return {
    ...store,
    async close() {
      await store.close()
      await drop()
    },
  }
}

/** A call's record with nothing but these members. */
export const callRecord = (members: Pick<Call, 'attempted_at'> & Partial<Call>): Call => ({
  account_sid: null,
  service_provider_sid: null,
  call_sid: null,
  application_sid: null,
  from: null,
  to: null,
  sip_callid: null,
  sip_parent_callid: null,
  answered: null,
  sip_status: null,
  duration: null,
  answered_at: null,
  terminated_at: null,
  termination_reason: null,
  host: null,
  remote_host: null,
  direction: null,
  trunk: null,
  trace_id: null,
  recording_url: null,
  ...members,
})
