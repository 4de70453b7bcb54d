import { randomUUID } from 'node:crypto'
import {
  api,
  type Endpoint,
  isRecord,
  isSameValue,
  MASK,
  membersOf,
  parseRequest,
  USED_KINDS,
} from '@switchroom/contract'
import { z } from 'zod'
import { difference } from '../../../audit/difference.ts'
import { Failure } from '../../../http/failure.ts'
import { withVersion } from '../../../http/version.ts'
import { normalize } from '../../../secrets/without-secrets.ts'
import { refused, shown } from '../answer.ts'
import type { Caller } from '../caller.ts'
import { type Change, changes, isFor } from '../catalogue.ts'
import type { Tool } from '../surface.ts'
import { paramsFor, partsOf } from './owners.ts'

type Values = Record<string, unknown>

const PLAN_SECONDS = 900
/** Most characters of a plan: as many as the table of short-lived state takes on MySQL, sealed. */
const PLAN_CHARACTERS = 60_000

const Plan = z.object({
  what: z.string(),
  params: z.record(z.string(), z.unknown()),
  body: z.unknown().optional(),
  /** Version of the resource as it was read; undefined for a new one. */
  version: z.string().optional(),
  /** Digests of its fields then, to tell which of them changed. */
  fields: z.record(z.string(), z.string()),
})
type Plan = z.infer<typeof Plan>

/** A plan is its maker's alone. */
const keyOf = ({ scope }: Caller, plan: string) =>
  `switchroom:mcp:plan:${scope.user_sid ?? scope.api_key_sid}:${plan}`

const Params = z.record(z.string().max(64), z.unknown())

export function planChange(caller: Caller): Tool {
  const some = changes.filter(isFor(caller))
  return {
    name: 'plan_change',
    title: 'Plan a change',
    description:
      'Plans to create, update or remove one thing, and changes nothing. Answers with each field that would change and, where the product knows, what that means: which of yesterday’s calls would take another way, what uses the thing. Show it to the person you work for, then bring `plan` to `apply_change`. Send only the fields to change; `describe` has their schema.',
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: z.strictObject({
      what: z.enum(some.map(({ id }) => id)),
      params: Params.optional().describe('What the path names, such as {"phone_number_sid": "…"}'),
      body: Params.optional().describe('The fields of what is created, or those to change'),
    }),
    async run(args, { ask, ctx }) {
      const change = some.find(({ id }) => id === args.what)!
      const params = paramsFor(change.e, args.params, caller)
      const body = change.e.body && (args.body ?? {})
      parseRequest<Endpoint>(change.e, { body } as never)
      const before = change.view ? membersOf(await ask(change.view, { params })) : {}
      refuseMasks(body, before)
      const plan = randomUUID()
      const stored: Plan = {
        ...{ what: change.id, params, body, fields: digests(caller, before) },
        ...(change.view && { version: versionIn(before) }),
      }
      const sealed = ctx.box.seal(JSON.stringify(stored))
      if (sealed.length > PLAN_CHARACTERS)
        throw new Failure('too_large', 'This is too much for a plan. Use the API or an import.')
      await ctx.live.set(keyOf(caller, plan), sealed, PLAN_SECONDS)
      return shown({
        plan,
        valid_seconds: PLAN_SECONDS,
        does: change.does,
        what: change.id,
        ...params,
        ...changed(change, before, membersOf(body)),
        ...(await meaning(caller, change, params, membersOf(body))),
      })
    },
  }
}

/**
 * Throws if a masked value is sent in place of a stored one. A mask that comes back as it was read keeps the stored
 * value.
 */
function refuseMasks(value: unknown, before: unknown, path: string[] = []) {
  if (isRecord(value) || Array.isArray(value)) {
    const was = Array.isArray(before) ? Object.fromEntries(before.entries()) : membersOf(before)
    for (const [key, one] of Object.entries(value)) refuseMasks(one, was[key], [...path, key])
  } else if (typeof value === 'string' && value !== MASK && value !== before)
    if (value.includes(MASK) || value.includes('***'))
      throw new Failure('invalid', 'Part of this is masked. Send it whole, or as you read it.', {
        issues: [{ path, message: 'Send it whole, or as you read it' }],
      })
}

const versionIn = (before: Values) => String(before.version ?? withVersion(before).version)

const digests = ({ ctx }: Caller, values: Values) =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      ctx.box.digest(JSON.stringify(value) ?? '').slice(0, 12),
    ]),
  )

/** Each field that would change, or all that would be deleted. */
function changed({ does }: Change, before: Values, body: Values) {
  if (does === 'remove') return { removed: normalize(before) }
  if (does === 'create') return { created: normalize(body) }
  const touched = Object.keys(body).filter((key) => !isSameValue(before[key], body[key]))
  const only = (values: Values) => Object.fromEntries(touched.map((key) => [key, values[key]]))
  const fields = difference(only(before), only(body))
  return {
    changed: Object.keys(fields.after).map((field) => ({
      field,
      before: fields.before[field],
      after: fields.after[field],
    })),
  }
}

/** Consequences of a change: for the calls of the last 24 hours, and for users of the resource. */
async function meaning({ ask }: Caller, change: Change, params: Values, body: Values) {
  const draft = draftOf(change.id, params, body)
  const used = change.does === 'remove' ? usedIn(params) : undefined
  return partsOf({
    yesterdays_calls: () => draft && ask(api.routeSimulations.replay, { body: draft }),
    uses: () => used && ask(api.uses.view, { params: used }),
  })
}

const usedIn = (params: Values) => {
  const kind = USED_KINDS.find((one) => `${one}_sid` in params)
  return kind && { kind, sid: params[`${kind}_sid`] }
}

function draftOf(what: string, { voip_carrier_sid, lcr_sid }: Values, body: Values) {
  if (what === 'voipCarriers.remove') return { carrier: { voip_carrier_sid } }
  if (what === 'voipCarriers.update' && 'is_active' in body && !body.is_active)
    return { deactivated: { voip_carrier_sids: [voip_carrier_sid] } }
  if (what === 'lcrs.remove') return { lcr: { lcr_sid, routes: [] } }
  if (what === 'lcrs.update' && body.routes) return { lcr: { lcr_sid, routes: body.routes } }
  return undefined
}

const NO_PLAN = 'There is no such plan: it was applied, has expired, or is of somebody else'

export function applyChange(caller: Caller): Tool {
  const some = changes.filter(isFor(caller))
  return {
    name: 'apply_change',
    title: 'Apply a planned change',
    description:
      'Carries out a plan of `plan_change`, once. Refused, with what changed, if somebody changed the thing since it was planned: then plan again.',
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
    input: z.strictObject({ plan: z.string().max(64) }),
    async run(args, { ask, ctx }) {
      const key = keyOf(caller, String(args.plan))
      const [sealed] = await ctx.live.get(key)
      const text = sealed && ctx.box.open(sealed)
      const planned = text ? Plan.parse(JSON.parse(text)) : undefined
      const change = some.find(({ id }) => id === planned?.what)
      if (!planned || !change) throw new Failure('not_found', NO_PLAN)
      const { params, body, version, fields } = planned
      if (change.view) {
        const now = membersOf(await ask(change.view, { params }))
        if (versionIn(now) !== version) return refused(refusal(caller, fields, now))
      }
      const answer = await ask(change.e, {
        params,
        ...(change.e.body && { body }),
        ...(change.e.versioned && change.does === 'update' && { version }),
        ...(change.does === 'create' && { idempotencyKey: String(args.plan) }),
      })
      await ctx.live.remove(key)
      return shown({ applied: change.id, ...params, ...membersOf(normalize(answer)) })
    },
  }
}

/** Refusal that names the fields somebody has changed since. */
function refusal(caller: Caller, fields: Record<string, string>, now: Values) {
  const newer = digests(caller, now)
  const differing = Object.keys({ ...fields, ...newer }).filter(
    (key) => key !== 'version' && fields[key] !== newer[key],
  )
  return {
    refused: 'Somebody changed this since it was planned. Plan again.',
    code: 'changed',
    changed: Object.fromEntries(differing.map((key) => [key, normalize(now[key], key)])),
  }
}
