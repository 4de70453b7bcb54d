import { type TestApp, testApp } from '../app.ts'
import { keptRows } from '../kept-rows.ts'
import type { StripeStandIn } from '../stand-ins/stripe.ts'
import { createWorld, type endpoints, type World } from './lines.ts'

type One = (typeof endpoints)[number]
/** `isNew`: opened or restored for this endpoint. */
type Opened<More> = { t: TestApp; w: World; more: More; isNew: boolean }

const isAlone = ({ line }: One) => Boolean(line.destroys || line.alone)

/** Endpoints by the server that they need; those that destroy or change resources of others come last. */
export const byWorld = <Some extends One>(some: readonly Some[]): Some[] =>
  some.toSorted(
    (a, b) =>
      Number(a.e.hosted ?? false) - Number(b.e.hosted ?? false) ||
      Number(isAlone(a)) - Number(isAlone(b)),
  )

const stillIn = async (t: TestApp) => {
  const callers = ['a1', 'sp1', 'admin']
  const answers = await Promise.all(callers.map((who) => t.request(who, 'GET', '/Users/me')))
  return answers.every((answer) => answer.statusCode === 200)
}

/**
 * Servers for a walk over the endpoints, in the order of `byWorld`, one at a time. For each endpoint that
 * destroys, all rows are as they were when the server was opened.
 */
export function worlds<More = undefined>(
  stripe: () => StripeStandIn,
  prepare?: (t: TestApp, w: World) => Promise<More>,
  newApp: (environment: Record<string, string>) => Promise<TestApp> = testApp,
) {
  type Kept = Awaited<ReturnType<typeof keptRows>>
  let open: (Opened<More> & { of: string; kept: Kept }) | undefined
  const close = async () => {
    await open?.kept.close()
    await open?.t.close()
    open = undefined
  }
  async function opened(of: 'plain' | 'hosted') {
    const t = await newApp(of === 'hosted' ? stripe().environment : {})
    const w = await createWorld(t)
    const more = (await prepare?.(t, w)) as More
    return { of, t, w, more, isNew: true, kept: await keptRows(t) }
  }
  return {
    async for(one: One): Promise<Opened<More>> {
      const of = one.e.hosted ? 'hosted' : 'plain'
      if (open?.of !== of) {
        await close()
        open = await opened(of)
      } else if (isAlone(one) && !open.isNew) {
        await open.kept.restore()
        open.isNew = true
        // ends of sessions may be in Redis
        if (!(await stillIn(open.t))) {
          await close()
          open = await opened(of)
        }
      }
      const given = { ...open }
      open.isNew = false
      return given
    },
    close,
  }
}
