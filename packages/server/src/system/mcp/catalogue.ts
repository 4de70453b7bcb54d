import {
  type ApiKeyKind,
  api,
  type Endpoint,
  type Group,
  isCreation,
  KIND_OF_GROUP,
} from '@switchroom/contract'
import { z } from 'zod'
import type { Context } from '../../http/context.ts'
import { mayAccess, type Scope } from '../../http/scope.ts'

/** An endpoint by its name at `/docs`, such as `phoneNumbers.list`. */
export type Named = { id: string; group: string; kind: ApiKeyKind | 'any'; e: Endpoint }

export type Change = Named & {
  does: 'create' | 'update' | 'remove'
  /** Endpoint that reads it before a change. Undefined for creations. */
  view: Endpoint | undefined
}

const kinds: Record<string, ApiKeyKind | 'any'> = KIND_OF_GROUP

export const everything: Named[] = Object.entries<Group>(api).flatMap(([group, endpoints]) =>
  Object.entries(endpoints).map(([name, e]) => ({
    id: `${group}.${name}`,
    group,
    kind: kinds[group]!,
    e,
  })),
)

/** Answers in JSON, changes nothing, and is not of one person. */
const isReadable = (e: Endpoint) =>
  e.method === 'GET' &&
  !(e.file || e.stream || e.sound || e.picture || e.download || e.relayed) &&
  !(e.personOnly || e.mutatesWhen || e.privateNetworkOnly)

export const readable = everything.filter(({ e }) => isReadable(e))

const isOfOne = ({ response, query }: Endpoint) =>
  response instanceof z.ZodObject && !('page' in (query?.shape ?? {}))

/** The last fixed part of a path: `/Accounts/:account_sid/VoipCarriers` → `VoipCarriers`. */
const collectionOf = (path: string) => path.split('/').findLast((part) => !part.startsWith(':'))

function changeIn(named: Named): Change | undefined {
  const { e, group, kind } = named
  // agents give nobody access, and operations on calls are no configuration
  if (kind === 'access' || kind === 'calls' || e.grantsAccess || e.personOnly) return undefined
  if (e.relayed || e.takesCsv || e.takesFile || e.tellsProgress) return undefined
  const single = readable.filter((one) => one.group === group && isOfOne(one.e)).map((one) => one.e)
  const view = single.find(({ path }) => path === e.path)
  if (e.method === 'PUT' && view) return { ...named, does: 'update', view }
  if (e.method === 'DELETE' && view && /:\w+$/.test(e.path))
    return { ...named, does: 'remove', view }
  const isOfThings = single.some(
    ({ path }) => /:\w+$/.test(path) && collectionOf(path) === collectionOf(e.path),
  )
  if (isCreation(e) && isOfThings) return { ...named, does: 'create', view: undefined }
  return undefined
}

/** Creating, updating and removing a thing that can be read alone. */
export const changes = everything.flatMap((named) => changeIn(named) ?? [])

/** True if the endpoint is offered to this caller. The endpoint itself decides on access. */
export const isFor =
  ({ ctx, scope }: { ctx: Pick<Context, 'config'>; scope: Scope }) =>
  ({ e, kind }: Named) =>
    !(ctx.config.page.ENABLE_HOSTED_SYSTEM ? e.selfHosted : e.hosted) &&
    mayAccess(scope, e.access) &&
    (kind === 'any' || (scope.key_limits?.kinds?.includes(kind) ?? true))

export const mayWrite = (scope: Scope) => !scope.view_only && !scope.unpaid

/** JSON Schema of the params, query and body of an endpoint. */
export const shapeOf = ({ params, query, body }: Endpoint) =>
  Object.fromEntries(
    Object.entries({ params, query, body }).flatMap(([part, schema]) => {
      if (!schema) return []
      const { $schema: _, ...shape } = z.toJSONSchema(schema, {
        io: 'input',
        unrepresentable: 'any',
      })
      return [[part, shape]]
    }),
  )
