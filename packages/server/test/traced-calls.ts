import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NO_TRACE } from '@switchroom/contract'
import { expect } from 'vitest'
import { type TestApp, testApp } from './app.ts'
import { callLine, send, testStore } from './calls.ts'
import { testTraces } from './traces.ts'

/**
 * A server with these spans, in OTLP, and with the calls of these traces, which are of the account a1 below sp1 or of b1
 * below sp2. A further call of a1 has no trace.
 */
export async function tracedCalls({
  spans,
  calls,
  environment,
}: {
  spans: readonly object[]
  calls: readonly (readonly [owner: 'a1' | 'b1', trace_id: string, application_sid?: string])[]
  environment?: Record<string, string>
}) {
  const app = await testApp(environment)
  const store = await testStore('embedded')
  const folder = mkdtempSync(join(tmpdir(), 'switchroom-traced-calls-'))
  const traces = await testTraces('embedded', folder)
  const sent = await fetch(`http://127.0.0.1:${traces.ports[0]}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
  })
  expect(sent.status).toBe(200)
  const { sids } = app
  const lines = [...calls, ['a1', NO_TRACE] as const].map(
    ([owner, trace_id, application_sid], ns) =>
      callLine({
        ms: Date.now(),
        ns,
        tags: {
          account_sid: sids[owner],
          service_provider_sid: owner === 'a1' ? sids.sp1 : sids.sp2,
          direction: 'inbound',
        },
        fields: {
          ...{ call_sid: randomUUID(), sip_callid: randomUUID(), trace_id },
          ...(application_sid && { application_sid }),
        },
      }),
  )
  expect((await send(store, lines.join('\n'))).status).toBe(204)
  Object.assign(app.ctx.stores, { calls: store.calls, traces })
  return {
    app,
    /** Reads a path of recent calls, below an account or provider. */
    ask(who: string, owner: keyof TestApp['sids'], path: string) {
      const below = owner.startsWith('sp') ? 'ServiceProviders' : 'Accounts'
      return app.request(who, 'GET', `/${below}/${sids[owner]}/RecentCalls/${path}`)
    },
    async close() {
      await traces.close()
      await store.close()
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
