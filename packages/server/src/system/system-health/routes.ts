import { hostname } from 'node:os'
import { type api, HEALTH_STATES, type HealthPart, type SystemHealth } from '@switchroom/contract'
import { VERSION } from '../../http/capabilities.ts'
import type { Context } from '../../http/context.ts'
import type { Handlers } from '../../http/serve.ts'

const startedAt = () => new Date(Date.now() - process.uptime() * 1000).toISOString()

const worstOf = (parts: HealthPart[]) =>
  HEALTH_STATES.findLast((state) => parts.some((p) => p.state === state)) ?? 'ok'

/** Only what is known: checks run in the background, so that a view costs nothing. */
function viewOf({ health }: Context): SystemHealth {
  const parts = health.parts()
  return {
    state: worstOf(parts),
    version: VERSION,
    started_at: startedAt(),
    host: hostname(),
    parts,
  }
}

export const systemHealthRoutes: Handlers<typeof api.systemHealth> = {
  view: async ({ ctx }) => viewOf(ctx),
  async check({ ctx }) {
    await ctx.health.check()
    return viewOf(ctx)
  },
}
