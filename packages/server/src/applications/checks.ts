import specs from '@jambonz/verb-specifications/specs.json' with { type: 'json' }
import {
  type AppEnvVars,
  type api,
  envVarsIssues,
  explained,
  MASK,
  type Received,
  specsOf,
  t,
  verbProblem,
} from '@switchroom/contract'
import type { Context } from '../http/context.ts'
import { invalid, invalidField } from '../http/failure.ts'
import { ownerIn, type Scope } from '../http/scope.ts'
import { askAppEnv } from '../outbound/app-env.ts'
import { type Logging, loggedOutbound } from '../tenants/webhook-log/send-logged.ts'
import * as webhooks from '../tenants/webhooks/queries.ts'
import { platformVersion } from './platform-version.ts'
import * as applications from './queries.ts'

type Body = Received<typeof api.applications.update>['body']
type Stored = Awaited<ReturnType<typeof applications.find>>

/** Throws 400 for verbs that the platform would not run. */
export async function checkAppJson(ctx: Parameters<typeof platformVersion>[0], { app_json }: Body) {
  if (!app_json) return
  const version = await platformVersion(ctx)
  const verbs: unknown = JSON.parse(app_json)
  const problem = verbProblem(verbs, specsOf(specs, version))
  if (!problem) return
  const message = explained(verbs, problem, specs, version)
  throw invalidField('app_json', t('Error: {message}', { message }))
}

/**
 * The requested environment variables, with masks replaced by stored values. Throws 400 when the
 * application would refuse them; an application that cannot be asked accepts all. Call outside
 * transactions: it sends a request.
 */
export async function checkedEnvironment(
  ctx: Logging,
  scope: Scope,
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
  if (url) await refuseUnfit(ctx, scope, stored, url, vars)
  return vars
}

async function storedUrl({ db }: Pick<Context, 'db'>, stored: Stored) {
  const sid = stored?.call_hook_sid
  return (await webhooks.bySid(db, [sid])).get(sid ?? '')?.url
}

async function refuseUnfit(
  ctx: Logging,
  scope: Scope,
  stored: Stored,
  url: string,
  vars: AppEnvVars,
) {
  const about = {
    kind: 'environment' as const,
    // the owner of a new application is checked later
    ...(stored?.account_sid
      ? { account_sid: stored.account_sid, service_provider_sid: null }
      : ownerIn(scope)),
    application_sid: stored?.application_sid ?? null,
  }
  const answer = await askAppEnv(loggedOutbound(ctx, about), url)
  const issues = 'schema' in answer ? envVarsIssues(answer.schema, vars) : []
  if (issues.length > 0) throw invalid(...issues)
}
