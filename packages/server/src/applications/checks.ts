import specs from '@jambonz/verb-specifications/specs.json' with { type: 'json' }
import {
  type AppEnvVars,
  type api,
  envVarsIssues,
  MASK,
  type Received,
  verbProblem,
} from '@switchroom/contract'
import type { Context } from '../http/context.ts'
import { invalid, invalidField } from '../http/failure.ts'
import { askAppEnv } from '../outbound/app-env.ts'
import * as webhooks from '../tenants/webhooks/queries.ts'
import * as applications from './queries.ts'

type Body = Received<typeof api.applications.update>['body']
type Stored = Awaited<ReturnType<typeof applications.find>>

/** Throws 400 for verbs that the platform would not run. */
export function checkAppJson({ app_json }: Body) {
  if (!app_json) return
  const problem = verbProblem(JSON.parse(app_json), specs)
  if (problem) throw invalidField('app_json', `Error: ${problem.message}`)
}

/**
 * The requested environment variables, with masks replaced by stored values. Throws 400 when the
 * application would refuse them; an application that cannot be asked accepts all. Call outside
 * transactions: it sends a request.
 */
export async function checkedEnvironment(
  ctx: Pick<Context, 'db' | 'box' | 'outbound'>,
  { env_vars, call_hook }: Body,
  stored: Stored,
): Promise<Body['env_vars']> {
  if (!env_vars) return env_vars
  const kept = (stored && applications.environment(ctx.box, stored.env_vars)) ?? {}
  // stored values passed the same checks as new ones
  const vars = Object.fromEntries(
    Object.entries(env_vars).map(([name, value]) => [
      name,
      value === MASK && Object.hasOwn(kept, name) ? kept[name] : value,
    ]),
  ) as typeof env_vars
  const url = call_hook?.url ?? (await storedUrl(ctx, stored))
  if (url) await refuseUnfit(ctx, url, vars)
  return vars
}

async function storedUrl({ db }: Pick<Context, 'db'>, stored: Stored) {
  const sid = stored?.call_hook_sid
  return (await webhooks.bySid(db, [sid])).get(sid ?? '')?.url
}

async function refuseUnfit({ outbound }: Pick<Context, 'outbound'>, url: string, vars: AppEnvVars) {
  const answer = await askAppEnv(outbound, url)
  const issues = 'schema' in answer ? envVarsIssues(answer.schema, vars) : []
  if (issues.length > 0) throw invalid(...issues)
}
