import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../packages/server/src/config/config.ts'
import { Env } from '../packages/server/src/config/environment.ts'
import type { Entry } from '../packages/server/src/config/guide/section.ts'
import { ENTRIES } from '../packages/server/src/config/guide/sections.ts'
import { START } from '../scripts/start-command.ts'
import {
  type Manifest,
  read,
  readContainerfile,
  readEnvironment,
  readManifests,
  readUnit,
} from './files.ts'

/** The files that run Switchroom elsewhere agree with the code. `e2e/deploy.e2e.ts` starts what they start. */

const isSecret = (name: string) => {
  const entry: Entry | string | undefined = ENTRIES[name as keyof Env]
  return typeof entry === 'object' && entry.isSecret === true
}
const unknown = (names: string[]) => names.filter((name) => !(name in Env.shape))
/** Seconds that a stop takes at most, after draining. */
const STOP_SECONDS = 10

describe('the container file', () => {
  const all = readContainerfile('Containerfile')
  const final = all.filter(({ stage }) => stage === 2)
  const one = (instruction: string) => {
    const found = final.filter((line) => line.instruction === instruction)
    expect(found).toHaveLength(1)
    return found[0]!.rest
  }
  const env = Object.fromEntries(
    one('ENV')
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]),
  )

  it('copies what exists and what its ignore file lets through', () => {
    const copied = all
      .filter(({ instruction, rest }) => instruction === 'COPY' && !rest.startsWith('--from'))
      .flatMap(({ rest }) => rest.split(' ').slice(0, -1))
    expect(copied.length).toBeGreaterThan(5)
    expect(copied.filter((path) => !existsSync(path))).toEqual([])
    const passed = [...read('.containerignore').matchAll(/^!(.+)$/gm)].map((m) => m[1]!)
    expect(copied.filter((path) => !passed.includes(path.split('/')[0]!))).toEqual([])
    expect(read('.dockerignore')).toBe(read('.containerignore'))
  })

  it('starts as npm start does, as no root, in its volume', () => {
    expect(JSON.parse(one('CMD'))).toEqual(['node', ...START])
    expect(one('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    expect(one('VOLUME')).toBe(env.SWITCHROOM_DATA)
    expect(one('STOPSIGNAL')).toBe('SIGTERM')
  })

  it('sets known variables, and opens the port that it listens on', () => {
    expect(unknown(Object.keys(env))).toEqual([])
    expect(readConfig(env)).toMatchObject({ host: '0.0.0.0', port: Number(one('EXPOSE')) })
  })
})

describe('the systemd unit', () => {
  const unit = readUnit('deploy/systemd/switchroom.service')
  const environment = readEnvironment(read('deploy/systemd/environment'))
  const values = (wanted: (name: string, isSet: boolean) => boolean) =>
    Object.fromEntries(
      Object.entries(environment)
        .filter(([name, { isSet }]) => wanted(name, isSet))
        .map(([name, { value }]) => [name, value]),
    )

  it('starts as npm start does, with the Node that npm ci installs', () => {
    const [command] = unit.ExecStart!
    expect(command).toBe(`${unit.WorkingDirectory}/node_modules/.bin/node ${START.join(' ')}`)
    expect(unit.User).not.toContain('root')
  })

  it('lets the server write the folder it is told, and nothing else', () => {
    expect(unit.ProtectSystem).toEqual(['strict'])
    expect(unit.ReadWritePaths).toBe(undefined)
    expect(environment.SWITCHROOM_DATA!.value).toBe(`/var/lib/${unit.StateDirectory}`)
  })

  it('waits for the longest stop, and does not retry a wrong configuration', () => {
    expect(Number(unit.TimeoutStopSec)).toBeGreaterThan(STOP_SECONDS)
    expect(unit.RestartPreventExitStatus).toEqual(['2'])
  })

  it('has an example of an environment that is right, with every line in use too', () => {
    expect(unknown(Object.keys(environment))).toEqual([])
    expect(readConfig(values((_, isSet) => isSet)).trusted_proxies).toBe(1)
    // the file with the passphrase is not on this machine
    const others = values((name) => name !== 'SWITCHROOM_BACKUP_PASSPHRASE_FILE')
    const config = readConfig({ ...others, SWITCHROOM_BACKUP_PASSPHRASE: 'as long as needed' })
    expect(config.backups.to).toBe('/mnt/backups')
    expect(Object.keys(environment).filter(isSecret)).toEqual([])
  })
})

describe('the Kubernetes manifests', () => {
  const manifests = readManifests()
  const workloads = manifests.filter(({ kind }) => ['Deployment', 'StatefulSet'].includes(kind))
  const named = (kind: string) => manifests.find((m) => m.kind === kind)!
  const pod = (workload: Manifest) => workload.spec.template.spec
  const container = (workload: Manifest) => pod(workload).containers[0]

  /** By TypeScript: also finds fields that do not exist, which Kubernetes drops silently. */
  it('have the shapes of Kubernetes', () => {
    const TYPES: Record<string, string> = {
      v1: 'core/v1',
      'apps/v1': 'apps/v1',
      'networking.k8s.io/v1': 'networking/v1',
      'policy/v1': 'policy/v1',
    }
    const sources = manifests.map(({ file, ...manifest }, i) => {
      const { apiVersion, kind } = manifest
      return `import type { ${kind} as Kind${i} } from 'kubernetes-types/${TYPES[apiVersion]}'
// ${file}
export const manifest${i}: Kind${i} = ${JSON.stringify(manifest, null, 2)}`
    })
    mkdirSync('node_modules/.cache', { recursive: true })
    const folder = mkdtempSync('node_modules/.cache/manifests-')
    const file = join(folder, 'manifests.ts')
    writeFileSync(file, sources.join('\n'))
    const options = '--ignoreConfig --noEmit --strict --skipLibCheck --module preserve --types'
    const { stdout } = spawnSync('node_modules/.bin/tsc', [...options.split(' '), '', file], {
      encoding: 'utf8',
    })
    rmSync(folder, { recursive: true })
    expect(stdout).toBe('')
    expect(manifests.length).toBeGreaterThan(7)
  })

  it('run as the container file says, and need no right of root', () => {
    const [user] = readContainerfile('Containerfile').filter((l) => l.instruction === 'USER')
    for (const workload of workloads) {
      const { securityContext } = pod(workload)
      expect(securityContext.runAsNonRoot).toBe(true)
      expect(`${securityContext.fsGroup}`).toBe(user!.rest.split(':')[1])
      expect(container(workload).securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
  })

  it('set known variables, and secret ones without a value, in the Secret alone', () => {
    const secret: Record<string, string> = named('Secret').stringData
    const open = [
      ...Object.keys(named('ConfigMap').data),
      ...workloads.flatMap((w) => (container(w).env ?? []).map((e: { name: string }) => e.name)),
    ]
    expect(unknown([...Object.keys(secret), ...open])).toEqual([])
    expect(open.filter(isSecret)).toEqual([])
    expect(Object.values(secret).join('')).toBe('')
  })

  it('have settings that the server starts with, and time to stop', () => {
    const secret = Object.keys(named('Secret').stringData).map((name) => [name, `is ${name}`])
    const several = readConfig({ ...named('ConfigMap').data, ...Object.fromEntries(secret) })
    expect(several.database).toMatchObject({ host: 'mysql', user: 'is JAMBONES_MYSQL_USER' })
    const [deployment, single] = ['Deployment', 'StatefulSet'].map(named) as [Manifest, Manifest]
    const limit = (w: Manifest) => pod(w).terminationGracePeriodSeconds
    expect(limit(deployment)).toBeGreaterThan(several.drain_seconds + STOP_SECONDS)
    const env: { name: string; value: string }[] = container(single).env
    const { drain_seconds } = readConfig(Object.fromEntries(env.map((e) => [e.name, e.value])))
    expect(limit(single)).toBeGreaterThan(drain_seconds + STOP_SECONDS)
    // a load balancer has to notice before the server stops listening
    const { periodSeconds, failureThreshold } = container(deployment).readinessProbe
    expect(several.drain_seconds).toBeGreaterThan(periodSeconds * failureThreshold)
  })

  it('name ports that are there, and the paths of the health checks', () => {
    const [port] = readContainerfile('Containerfile').filter((l) => l.instruction === 'EXPOSE')
    for (const workload of workloads) {
      const { ports, startupProbe, livenessProbe, readinessProbe, env = [] } = container(workload)
      const byName = new Map<string, number>(
        ports.map((p: { name: string; containerPort: number }) => [p.name, p.containerPort]),
      )
      expect(`${byName.get('http')}`).toBe(port!.rest)
      for (const { name, value } of env)
        if (name.startsWith('SWITCHROOM_INGEST'))
          expect([...byName.values()], name).toContain(Number(value.split(':')[1]))
      for (const service of manifests.filter((m) => m.kind === 'Service'))
        if (service.file === workload.file)
          for (const { targetPort } of service.spec.ports) expect(byName.has(targetPort)).toBe(true)
      const paths = [startupProbe, livenessProbe, readinessProbe].map((p) => p.httpGet)
      expect(paths).toEqual(
        ['/health', '/health', '/ready'].map((path) => ({ path, port: 'http' })),
      )
    }
  })

  it('mount every volume, and keep the data folder on one', () => {
    const data = readConfig({ SWITCHROOM_DATA: '/data' }).data
    for (const workload of workloads) {
      const claims = (workload.spec.volumeClaimTemplates ?? []) as { metadata: { name: string } }[]
      const volumes = [
        ...pod(workload).volumes.map((v: { name: string }) => v.name),
        ...claims.map((claim) => claim.metadata.name),
      ]
      const mounts: { name: string; mountPath: string }[] = container(workload).volumeMounts
      expect(mounts.map((m) => m.name).sort()).toEqual(volumes.sort())
      expect(mounts.map((m) => m.mountPath)).toContain(data)
    }
  })
})
