import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { buildApp, endWork } from '../src/app.ts'
import type { Context } from '../src/http/context.ts'
import { checkAgainstDescription } from './description.ts'

// Building an app registers some 800 routes, which takes longer than most tests. Test files of one worker share one app.
// Each request, and all that it starts, finds the context of the test that sent it.

type World = { ctx: Context; isChecked: boolean }

const worlds = new AsyncLocalStorage<World>()

/** Settings that the shared app only reads from the context, as it needs them. */
const READ_LATER = ['SWITCHROOM_ALLOW_NETWORKS', 'SWITCHROOM_TELEMETRY_DAYS']

/** True if an app with these settings has the same routes and hooks as one without any. */
export const canShare = (environment: Record<string, string>) =>
  Object.keys(environment).every((name) => READ_LATER.includes(name))

function current() {
  const world = worlds.getStore()
  if (!world) throw new Error('The shared app was used outside of a request of a test')
  return world.ctx
}

/** Stands for the object that `of` finds at the time of each use, but for members of its `own`. */
const standIn = <T extends object>(of: () => T, own: Partial<T> = {}) =>
  new Proxy(own as T, {
    get: (_, name) => {
      if (name in own) return Reflect.get(own, name)
      const target = of()
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
    set: (_, name, value) => Reflect.set(of(), name, value),
    has: (_, name) => Reflect.has(of(), name),
    ownKeys: () => Reflect.ownKeys(of()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(of(), name),
  })

/** Fastify writes to a child of the logger that it is given. */
const logOf = (of: () => FastifyBaseLogger): FastifyBaseLogger =>
  standIn(of, {
    child: (...how) => {
      const children = new WeakMap<FastifyBaseLogger, FastifyBaseLogger>()
      return logOf(() => {
        const log = of()
        const child = children.get(log) ?? log.child(...how)
        children.set(log, child)
        return child
      })
    },
  })

let built: Promise<FastifyInstance> | undefined

async function build() {
  const app = await buildApp(standIn(current), { loggerInstance: logOf(() => current().log) })
  checkAgainstDescription(app, () => worlds.getStore()?.isChecked ?? false)
  await app.ready()
  return app
}

/**
 * The shared app with the context of one test. It only takes requests: a test that listens, closes the app or adds to it needs
 * an app of its own, and so does one that reads metrics, which count what other tests have sent.
 */
export async function sharedApp(world: World) {
  built ??= worlds.run(world, build)
  const shared = await built
  const inject = (async (request: string | { url?: string }) => {
    const { url = '' } = typeof request === 'string' ? { url: request } : request
    if (/^\/+metrics\b/i.test(url)) throw new Error(`${url} ${NEEDS_OWN}`)
    return worlds.run(world, async () => shared.inject(request as string))
  }) as FastifyInstance['inject']
  const app = new Proxy({ inject } as FastifyInstance, {
    get: (members, name) => {
      if (typeof name === 'string' && !(name in members))
        throw new Error(`app.${name} ${NEEDS_OWN}`)
      return Reflect.get(members, name)
    },
  })
  return { app, close: () => endWork(world.ctx) }
}

const NEEDS_OWN = 'needs an app of this test alone: open it with { ownApp: true }'
