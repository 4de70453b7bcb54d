import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MASK } from '@switchroom/contract'
import { expect, it } from 'vitest'
import { databasesFor } from './databases.ts'
import {
  api,
  createMysqlDatabase,
  fetchToken,
  type Mysql,
  type Switchroom,
  startSwitchroom,
} from './harness.ts'
import { freePort } from './ports.ts'
import { shareWorld } from './world.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const ACCOUNT = '9351f46a-678c-43f5-b8a6-d4eb58d131af'
const SP = '2708b1b3-2736-40ea-b502-c53d8396247f'
let folder: string
const servers: Switchroom[] = []
shareWorld(
  () => {
    folder = mkdtempSync(join(tmpdir(), 'switchroom-backup-e2e-'))
    writeFileSync(join(folder, 'passphrase'), 'correct horse battery\n')
  },
  async () => {
    for (const server of servers.splice(0)) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  },
)

const dataOf = (name: string) => join(folder, `data-${name}`)

async function start(database: 'sqlite' | 'mysql', environment: Record<string, string> = {}) {
  const server = await startSwitchroom(database, {
    SWITCHROOM_DATA: dataOf(database),
    SWITCHROOM_BACKUP_PASSPHRASE_FILE: join(folder, 'passphrase'),
    // with the embedded database it is generated, and part of the backup
    ...(database === 'sqlite' && { JWT_SECRET: '' }),
    ...environment,
  })
  servers.push(server)
  return server
}

type Command = 'backup' | 'restore' | 'end-sessions'
function command(env: Record<string, string | undefined>, script: Command, ...args: string[]) {
  const child = spawn(process.execPath, [`scripts/${script}.ts`, ...args], { cwd: root, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { child, ended, output: () => output }
}

/** Runs a command that must succeed. Resolves to what it printed. */
async function succeed(...args: Parameters<typeof command>) {
  const { ended, output } = command(...args)
  expect(await ended, output()).toBe(0)
  return output()
}

const clientArgs = ({ host, port, user, database }: Mysql) => [
  `--host=${host}`,
  `--port=${port}`,
  `--user=${user}`,
  database,
]
const dump = (from: Mysql) =>
  execFileSync('mariadb-dump', ['--single-transaction', ...clientArgs(from)])
const load = (to: Mysql, input: Buffer) => execFileSync('mariadb', clientArgs(to), { input })

const statusOf = async (url: string, token: string) =>
  (await fetch(`${url}/api/v1/Users/me`, { headers: { authorization: `Bearer ${token}` } })).status

async function addCall(port: number, url: string, token: string) {
  const tags = `account_sid=${ACCOUNT},service_provider_sid=${SP},answered=true`
  const ids = 'call_sid="call-1",sip_callid="sip-1@pbx",from="15085551000",to="442079460958"'
  await fetch(`http://127.0.0.1:${port}/write?db=cdrs&precision=n`, {
    method: 'POST',
    body: `cdrs,${tags},direction=inbound,host=h,trunk=North ${ids},duration=47,sip_status=200 ${Date.now() - 1_000}000000`,
  })
  await expect.poll(() => calls(url, token)).toEqual(['call-1'])
}
const calls = async (url: string, token: string) => {
  const path = `/Accounts/${ACCOUNT}/RecentCalls?page=1&count=25&days=1`
  type Calls = { data: { call_sid: string }[] }
  return (await api<Calls>(url, token, 'GET', path)).data.map((c) => c.call_sid)
}

it.each(databasesFor('backup'))(
  'brings everything back from a backup that was made while the server ran, on %s',
  async (database) => {
    const ingest = await freePort()
    const server = await start(database, { SWITCHROOM_INGEST_INFLUX: `127.0.0.1:${ingest}` })
    const { url } = server
    const endedBefore = await fetchToken(url)
    await api(url, endedBefore, 'POST', '/logout')
    const endedAfter = await fetchToken(url)
    await api(url, endedAfter, 'POST', '/Clients', {
      account_sid: ACCOUNT,
      username: 'jane',
      password: 'canary device secret',
      is_active: 1,
    })
    const { sid: credential } = await api<{ sid: string }>(
      url,
      endedAfter,
      'POST',
      `/Accounts/${ACCOUNT}/SpeechCredentials`,
      {
        vendor: 'rimelabs',
        api_key: 'canary speech secret',
        model_id: 'arcana',
        use_for_tts: 1,
        use_for_stt: 0,
        account_sid: ACCOUNT,
      },
    )
    await addCall(ingest, url, endedAfter)
    const accounts = await api<object[]>(url, endedAfter, 'GET', '/Accounts')

    const to = join(folder, `backups-${database}`)
    mkdirSync(to)
    const said = await succeed(server.env, 'backup', to)
    expect(said).toContain('is complete and verified')
    if (server.mysql)
      expect(said).toContain(`mariadb-dump --single-transaction ${server.mysql.database}`)
    const [name] = readdirSync(to)
    expect(readFileSync(join(to, name!)).includes('canary')).toBe(false)
    const dumped = server.mysql && dump(server.mysql)
    expect((await fetch(`${url}/ready`)).status).toBe(200)
    await api(url, endedAfter, 'POST', '/logout')

    await server.kill('SIGKILL')
    rmSync(dataOf(database), { recursive: true })
    const fresh = dumped && (await createMysqlDatabase())
    const place = fresh && { JAMBONES_MYSQL_DATABASE: fresh.database }
    if (fresh) load(fresh, dumped)
    const env = { ...server.env, ...place }
    const restored = await succeed(env, 'restore', join(to, name!))
    expect(restored).toContain(
      fresh ? 'run npm run end-sessions' : 'All users have to log in again.',
    )
    if (fresh) await succeed(env, 'end-sessions')
    const again = await start(database, place)
    const token = await fetchToken(again.url)
    for (const old of [endedBefore, endedAfter]) expect(await statusOf(again.url, old)).toBe(401)
    expect(await api(again.url, token, 'GET', '/Clients')).toMatchObject([{ username: 'jane' }])
    expect(await api(again.url, token, 'GET', '/Accounts')).toMatchObject(accounts)
    expect(await calls(again.url, token)).toEqual(['call-1'])
    // only who can open it shows what is in it
    expect(
      await api(again.url, token, 'GET', `/Accounts/${ACCOUNT}/SpeechCredentials/${credential}`),
    ).toMatchObject({
      api_key: MASK,
      model_id: 'arcana',
    })
  },
)

it('leaves nothing that looks complete when it is killed', async () => {
  const to = join(folder, 'killed')
  mkdirSync(to)
  const { env } = servers[0] ?? (await start('sqlite'))
  // takes a second or so to write
  writeFileSync(
    join(env.SWITCHROOM_DATA, 'ballast'),
    Buffer.alloc(200_000_000, crypto.randomUUID()),
  )
  const backup = command(env, 'backup', to)
  await expect.poll(() => readdirSync(to), { interval: 5 }).toHaveLength(1)
  backup.child.kill('SIGKILL')
  await backup.ended
  expect(readdirSync(to)).toEqual([expect.stringMatching(/^\..*\.partial$/)])

  await succeed(env, 'backup', to)
  const name = readdirSync(to).find((each) => !each.startsWith('.'))!
  const target = join(folder, 'target')
  const restore = command(env, 'restore', join(to, name), target)
  const beside = () => readdirSync(folder).filter((each) => each.startsWith('.target'))
  await expect.poll(beside, { interval: 5 }).toHaveLength(1)
  restore.child.kill('SIGKILL')
  await restore.ended
  expect(readdirSync(folder)).not.toContain('target')
  await succeed(env, 'restore', join(to, name), target)
  expect(beside()).toEqual([])
})
