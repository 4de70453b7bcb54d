import { hostname } from 'node:os'
import {
  type api,
  COSTS,
  HEALTH_STATES,
  type HealthPart,
  type SystemHealth,
  type TenantLoad,
  type Turns,
} from '@switchroom/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { VERSION } from '../../http/capabilities.ts'
import type { Context } from '../../http/context.ts'
import type { Load } from '../../http/fair-queue.ts'
import type { Scope } from '../../http/scope.ts'
import type { Handlers } from '../../http/serve.ts'
import { ownedBy, visibleTo } from '../../http/tenancy.ts'
import { ADMINISTRATORS, limitsOf } from '../../http/turns.ts'

const startedAt = () => new Date(Date.now() - process.uptime() * 1000).toISOString()

const worstOf = (parts: HealthPart[]) =>
  HEALTH_STATES.findLast((state) => parts.some((p) => p.state === state)) ?? 'ok'

/** Only what is known: checks run in the background, so that a view costs nothing. */
function viewOf({ health, config }: Context): SystemHealth {
  const parts = health.parts()
  return {
    state: worstOf(parts),
    version: VERSION,
    started_at: startedAt(),
    host: hostname(),
    parts,
    quotas: config.quotas,
  }
}

/** How many tenants of a kind of work are named. */
const MOST_NAMED = 20

type Named = Pick<TenantLoad, 'kind' | 'sid' | 'name'>

async function tenantsBySid(db: Db, scope: Scope, sids: string[]) {
  if (sids.length === 0) return new Map<string, Named>()
  const rows = await db
    .selectFrom('accounts')
    .select(['account_sid as sid', 'name', sql<Named['kind']>`'account'`.as('kind')])
    .where('account_sid', 'in', sids)
    .where(ownedBy('accounts', scope))
    .unionAll(
      db
        .selectFrom('service_providers')
        .select([
          'service_provider_sid as sid',
          'name',
          sql<Named['kind']>`'service_provider'`.as('kind'),
        ])
        .where('service_provider_sid', 'in', sids)
        .where(visibleTo('service_providers', scope)),
    )
    .execute()
  return new Map<string, Named>(rows.map((row) => [row.sid, row]))
}

const sidOf = ({ lane }: Load) => ('signedIn' in lane ? lane.signedIn : undefined)

async function turnsOf({ db, memory }: Context, scope: Scope): Promise<Turns[]> {
  const queues = COSTS.map((work) => {
    const loads = memory.turns[work].load()
    const named = loads
      .toSorted((a, b) => b.waiting - a.waiting || b.running - a.running)
      .slice(0, MOST_NAMED)
    return { work, loads, named }
  })
  const sids = queues.flatMap(({ named }) => named.flatMap((load) => sidOf(load) ?? []))
  const tenants = await tenantsBySid(db, scope, [...new Set(sids)])
  const tenantOf = ({ lane }: Load): Named => {
    if ('network' in lane) return { kind: 'network', sid: null, name: lane.network }
    const sid = lane.signedIn
    if (sid === ADMINISTRATORS) return { kind: 'administrators', sid: null, name: null }
    return tenants.get(sid) ?? { kind: 'account', sid, name: null }
  }
  const sum = (loads: Load[], state: 'running' | 'waiting') =>
    loads.reduce((n, load) => n + load[state], 0)
  return queues.map(({ work, loads, named }) => {
    const { atOnce, atOncePerLane, perLane } = limitsOf(work)
    return {
      work,
      running: sum(loads, 'running'),
      waiting: sum(loads, 'waiting'),
      limits: {
        at_once: atOncePerLane,
        waiting: perLane,
        at_once_in_all: Number.isFinite(atOnce) ? atOnce : null,
      },
      tenants: named.map((load) => ({
        ...tenantOf(load),
        running: load.running,
        waiting: load.waiting,
      })),
      others: loads.length - named.length,
    }
  })
}

export const systemHealthRoutes: Handlers<typeof api.systemHealth> = {
  view: async ({ ctx }) => viewOf(ctx),
  async check({ ctx }) {
    await ctx.health.check()
    return viewOf(ctx)
  },
  turns: ({ ctx, scope }) => turnsOf(ctx, scope),
}
