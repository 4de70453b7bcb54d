import { hostname } from 'node:os'
import { type api, HEALTH_STATES, type HealthPart } from '@switchroom/contract'
import { VERSION } from '../../http/capabilities.ts'
import type { Handlers } from '../../http/serve.ts'

const startedAt = () => new Date(Date.now() - process.uptime() * 1000).toISOString()

const worstOf = (parts: HealthPart[]) =>
  HEALTH_STATES.findLast((state) => parts.some((p) => p.state === state)) ?? 'ok'

export const systemHealthRoutes: Handlers<typeof api.systemHealth> = {
  view: async ({ ctx }) => {
    const parts = ctx.health.parts()
    return {
      state: worstOf(parts),
      version: VERSION,
      started_at: startedAt(),
      host: hostname(),
      parts,
    }
  },
}
