import { isCreation, kebab } from '@switchroom/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '../../server/test/app.ts'
import { chosen } from '../../server/test/database.ts'
import { createWorld, endpoints, type World } from '../../server/test/endpoints/lines.ts'
import { sample } from '../../server/test/trust.ts'
import { table } from '../src/table.ts'
import { testTerminal } from './terminal.ts'

/**
 * Compares the answers that commands get from endpoints with those that any client gets: reads and creations as every
 * kind of caller, by their lines for the server's own tests.
 */

let t: TestApp
let w: World
let url: string
beforeAll(async () => {
  t = await testApp({}, undefined, undefined, { ownApp: true })
  w = await createWorld(t)
  url = await t.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => t.close())

const CALLERS = [
  'admin-key',
  'sp1-key',
  'sp2-key',
  'a1-key',
  'a2-key',
  'b1-key',
  'a1-viewer',
  'deleted-key',
]

const walked = endpoints.filter(
  ({ e, line }) =>
    (e.method === 'GET' || isCreation(e)) &&
    !(line.destroys || line.alone || e.hosted || e.privateNetworkOnly || e.callsOutside) &&
    !(e.personOnly && isCreation(e)),
)

/** Times, and what counts them, differ from one answer to the next. */
const UNSTEADY = /"(?:request_id|uptime_seconds)": ?(?:"[^"]*"|\d+)|"\d{4}-\d\d-\d\d[T ][\d:.]+Z?"/g
const steady = (json: unknown) => JSON.stringify(json).replace(UNSTEADY, '')

/** The exit codes of an answer. */
function codesOf(status: number) {
  if (status < 400) return [0]
  const codes: Record<number, number[]> = {
    400: [2, 3],
    401: [4],
    403: [4],
    404: [5, 8],
    409: [6],
    422: [6],
  }
  return codes[status] ?? [1, 7]
}

const flag = (key: string, value: unknown) => `--${kebab(key)}=${value}`

describe.each(walked.map((one, index) => ({ ...one, index })))(
  '$title',
  ({ title, e, line, index }) => {
    const [group, name] = title.split('.') as [string, string]
    const row = table[group]![name]!
    const run = async (who: string, ...more: string[]) => {
      const params = line.params?.(w) ?? {}
      const args = row.args.map((arg) => params[arg] ?? '')
      const owners = row.flags.filter((one) => one.in === 'path')
      const env = { HOME: '/nonexistent', SWITCHROOM_URL: url, SWITCHROOM_API_KEY: t.bearer[who]! }
      const ran = await testTerminal(env).run(
        ...[kebab(group), kebab(name), ...args],
        ...owners.map(({ name }) => flag(name, params[name])),
        ...more,
        '--json',
      )
      expect(ran.out + ran.err).not.toContain(t.bearer[who])
      return ran
    }

    if (e.method === 'GET')
      it('answers a command as anybody', async () => {
        const query = line.query?.(w) ?? {}
        const params = line.params?.(w) ?? {}
        const path = e.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key]!))
        const asked = { ...(row.paged && { page: '1', [row.paged]: '50' }), ...query }
        for (const who of sample(CALLERS, chosen === 'mysql' ? 1 : 2, index)) {
          const ran = await run(
            who,
            ...Object.entries(query).map(([key, value]) => flag(key, value)),
          )
          const { statusCode, headers, body } = await t.request(
            who,
            e.method,
            `${path}?${new URLSearchParams(asked)}`,
          )
          expect(codesOf(statusCode), `${who} ${statusCode} ${ran.err}`).toContain(ran.code)
          if (ran.code === 0 && headers['content-type']?.startsWith('application/json'))
            expect(steady(JSON.parse(ran.out))).toBe(steady(JSON.parse(body)))
        }
      })
    else
      it('is done by a command', async () => {
        const data = row.takesBody ? ['--data', JSON.stringify(line.body?.(w) ?? {})] : []
        const who = e.access === 'admin' ? 'admin-key' : 'sp1-key'
        const ran = await run(who, ...data)
        expect(ran.code, ran.err).toBe(0)
        expect(Object.keys(JSON.parse(ran.out))[0]).toMatch(/sid$/)
      })
  },
)
