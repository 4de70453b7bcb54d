import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import {
  read,
  readContainerfile,
  readEnvironment,
  readManifests,
  readUnit,
} from '../deploy/files.ts'
import { compileCache, fetchToken } from './harness.ts'
import { freePort } from './ports.ts'
import { until } from './wait.ts'

/** Starts what the container file and the systemd unit start, with their variables, as far as one machine can. */

const root = fileURLToPath(new URL('..', import.meta.url))
let data: string
afterEach(() => rmSync(data, { recursive: true, force: true }))

/** Starts a command and waits until it is ready. Ports and the data folder are of this test. */
async function start([program, ...args]: string[], environment: Record<string, string>) {
  data = mkdtempSync(join(tmpdir(), 'switchroom-deploy-'))
  const env = {
    PATH: `${root}node_modules/.bin:${process.env.PATH}`,
    ...compileCache,
    ...environment,
    HTTP_PORT: String(await freePort()),
    SWITCHROOM_DATA: join(data, 'data'),
    SWITCHROOM_ADMIN_PASSWORD: 'correct horse 1',
  }
  const child = spawn(program!, args, { cwd: root, env })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      log += chunk
    })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const url = `http://127.0.0.1:${env.HTTP_PORT}`
  await until(
    async () => {
      if (child.exitCode !== null) throw new Error(`It ended:\n${log}`)
      return (await fetch(`${url}/ready`).catch(() => undefined))?.ok ?? false
    },
    () => `It is not ready:\n${log}`,
  )
  return {
    url,
    env,
    /** Sends SIGTERM. Resolves to the exit code. */
    stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
}

it('starts as in the container, whose health check follows it', async () => {
  const final = readContainerfile('Containerfile').filter(({ stage }) => stage === 2)
  const of = (instruction: string) => final.find((line) => line.instruction === instruction)!.rest
  const env = of('ENV')
    .split(' ')
    .map((pair) => pair.split('='))
  const server = await start(JSON.parse(of('CMD')), Object.fromEntries(env))
  await fetchToken(server.url)
  const [program, ...args] = JSON.parse(of('HEALTHCHECK').replace(/^.* CMD /, '')) as string[]
  const check = () => spawnSync(program!, args, { env: server.env }).status
  expect(check()).toBe(0)
  for (const { spec } of readManifests().filter(({ kind }) => kind === 'Deployment'))
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
      expect(
        (await fetch(server.url + spec.template.spec.containers[0][probe].httpGet.path)).ok,
      ).toBe(true)
  expect(await server.stop()).toBe(0)
  expect(check()).toBe(1)
})

it('starts as the systemd unit does, with its example environment', async () => {
  const { ExecStart } = readUnit('deploy/systemd/switchroom.service')
  const [program, ...args] = ExecStart![0]!.split(' ')
  const given = Object.entries(readEnvironment(read('deploy/systemd/environment')))
  const environment = given.flatMap(([name, { value, isSet }]) => (isSet ? [[name, value]] : []))
  const server = await start(
    [program!.replace('/opt/switchroom/', root), ...args],
    Object.fromEntries(environment),
  )
  await fetchToken(server.url)
  expect(await server.stop()).toBe(0)
})
