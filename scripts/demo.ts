import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { apiOf, logIn } from './demo/api.ts'
import type { Plan } from './demo/calls.ts'
import { detourOf } from './demo/detour.ts'
import { fill } from './demo/fill.ts'
import { openFolder, type Reached, Refused, removeFolder } from './demo/folder.ts'
import { incidentAround } from './demo/incident.ts'
import { Living } from './demo/living.ts'
import { featureServer } from './demo/platform/feature-server.ts'
import { LiveState } from './demo/platform/live-state.ts'
import { PlatformRedis } from './demo/platform/redis.ts'
import { voiceApplication } from './demo/platform/voice-application.ts'
import { moveAlerts, provision, USERS } from './demo/provision.ts'
import { makeTried, moveTried, runTried } from './demo/provision-tried.ts'
import { choosePorts, type Ports, startServer } from './demo/server.ts'
import { Store } from './demo/store.ts'
import { existing, type World } from './demo/world.ts'

/**
 * Starts Switchroom with an example that lives: it makes providers, accounts and carriers through the API, plays the
 * platform's components, and goes on until it is stopped. `remove` deletes it.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string', default: './demo-data' },
    /** How many days of calls there are; the last one has everything. */
    days: { type: 'string', default: '28' },
    /** How many calls there are, compared with the usual. There are always some at the moment. */
    scale: { type: 'string', default: '1' },
  },
})

const DAY = 86_400_000
const folder = resolve(values.folder)
const days = Number(values.days)
const scale = Number(values.scale)

async function run() {
  if (!Number.isInteger(days) || days < 1 || days > 30) throw new Refused('--days: 1 to 30')
  if (!(scale > 0 && scale <= 10)) throw new Refused('--scale: more than 0, at most 10')
  const start = Date.now()
  const seconds = () => ((Date.now() - start) / 1_000).toFixed(1)
  const progress = (text: string) => console.log(`${seconds().padStart(6)} s  ${text}`)
  const demo = openFolder(folder, {
    seed: 'switchroom',
    scale,
    began: start,
    password: process.env.SWITCHROOM_ADMIN_PASSWORD || randomBytes(9).toString('base64url'),
    incidents: [],
  })
  const { state, save } = demo
  let stopping = false
  const closing: (() => unknown)[] = [demo.release]
  const stop = async (code: number) => {
    if (stopping) return
    stopping = true
    for (const close of closing.reverse()) await close()
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void stop(0))
  const fail = (e: unknown) => {
    // what is asked of a server that stops fails
    if (stopping) return
    console.error(e instanceof Error ? e.message : e)
    void stop(1)
  }

  try {
    const ports = await choosePorts()
    const redis = await PlatformRedis.listen(ports.redis)
    closing.push(() => redis.close())
    const server = await startServer(folder, ports, state.password)
    closing.push(() => server.stop())
    server.ended.then(() => fail(new Error(`Switchroom has ended. ${folder}/server.log says why.`)))
    progress(`Switchroom is at ${server.url}`)

    const store = new Store(server.url, ports, folder)
    state.incidents.push(incidentAround(start))
    const reached = reachedAt(ports)
    const isNew = !state.filled
    const filled = state.filled ?? (await make(server.url, state.password, reached))
    if (!isDeepStrictEqual(filled.reached, reached))
      await move(server.url, state.password, filled.world, reached)
    const api = apiOf(server.url, filled.api_key)
    const plan: Plan = {
      seed: state.seed,
      scale: state.scale,
      world: await existing(api, filled.world),
      began: state.began,
      traced_from: start - DAY,
      incidents: state.incidents,
    }
    if (!state.filled)
      progress(`3 providers, ${plan.world.accounts.length} accounts and what belongs to them`)
    const until = Date.now()
    const from = Math.max(filled.until, start - days * DAY)
    await fill(plan, store, { from, to: until }, progress)
    // only now: what was not filled completely begins anew
    state.filled = { ...filled, until, reached }
    save()

    const living = new Living(plan, store, until, async (world) => ({
      world: await existing(api, world),
      detour: await detourOf(api, world),
    }))
    const components = await featureServer(ports.feature_server, living.commands)
    closing.push(() => components.close())
    const tried = await voiceApplication(ports.voice)
    closing.push(() => tried.close())
    if (isNew) {
      const admin = await administrator(server.url, state.password)
      await runTried(admin, filled.world.accounts[0]!)
    }
    const live = new LiveState(redis, `http://127.0.0.1:${ports.feature_server}`)
    let saved = Date.now()
    living.start(
      live,
      (until) => {
        state.filled!.until = until
        if (until - saved < 5_000) return
        saved = until
        save()
      },
      fail,
    )
    closing.push(() => living.stop())
    progress('It lives. Ctrl-C stops it, "npm run demo" goes on with it.')
    console.log(`
  ${server.url}

  ${USERS.administrator.padEnd(16)} administrator
  ${USERS.provider.padEnd(16)} user of a service provider
  ${USERS.account.padEnd(16)} user of an account
  ${USERS.viewer.padEnd(16)} may only look

  The password of all four is ${state.password}
`)
  } catch (e) {
    fail(e)
  }
}

const administrator = async (url: string, password: string) =>
  apiOf(url, await logIn(url, USERS.administrator, password))

const reachedAt = ({ feature_server, voice }: Ports): Reached => ({
  alerts: `http://127.0.0.1:${feature_server}/alerts`,
  tried: `http://127.0.0.1:${voice}`,
})

/** Moves the addresses of a demo that goes on to the ports of this run. */
async function move(url: string, password: string, { accounts }: World, reached: Reached) {
  const api = await administrator(url, password)
  await moveAlerts(api, reached.alerts)
  await moveTried(api, accounts[0]!, reached.tried)
}

/** Makes everything that the demo needs through the API. */
async function make(url: string, password: string, reached: Reached) {
  const api = await administrator(url, password)
  const world = await provision(api, password, reached.alerts)
  await makeTried(api, world.accounts[0]!, reached.tried)
  const key = { name: 'Demo: sees which accounts exist', view_only: 1 }
  const { token } = await api<{ token: string }>('POST', '/ApiKeys', key)
  return { world, api_key: token, until: 0, reached }
}

try {
  if (positionals.length > 1 || (positionals[0] ?? 'remove') !== 'remove')
    throw new Refused('Use "npm run demo" or "npm run demo -- remove".')
  if (positionals[0] === 'remove')
    console.log(removeFolder(folder) ? `Removed ${folder}.` : `There is no demo in ${folder}.`)
  else await run()
} catch (e) {
  if (!(e instanceof Refused)) throw e
  console.error(e.message)
  process.exit(2)
}
