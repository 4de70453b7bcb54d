import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import { type Services, startServices } from '../scripts/services.ts'
import { freePort } from './ports.ts'
import { until } from './wait.ts'

/** Debian’s MariaDB depends on it. */
const PROVIDER = '/usr/lib/galera/libgalera_smm.so'

export const hasGalera = existsSync('/usr/sbin/mariadbd') && existsSync(PROVIDER)

/** Starts two nodes of a Galera cluster of MariaDB, of which the first goes on without the second. */
export async function startGalera() {
  const services: Services[] = []
  const homes: string[] = []
  const start = async (port: number, others: string, weight: number, state?: string) => {
    const home = mkdtempSync(join(tmpdir(), 'switchroom-galera-'))
    homes.push(home)
    if (state) writeFileSync(join(home, 'grastate.dat'), state)
    const receiver = await freePort()
    const options = [
      `gmcast.listen_addr=tcp://127.0.0.1:${port}`,
      `ist.recv_addr=127.0.0.1:${receiver}`,
      'gcache.size=32M',
      `pc.weight=${weight}`,
    ]
    const node = await startServices(['MariaDB'], {
      mariadb: [
        '--wsrep-on=ON',
        `--wsrep-provider=${PROVIDER}`,
        `--wsrep-cluster-address=gcomm://${others}`,
        `--wsrep-node-address=127.0.0.1:${port}`,
        `--wsrep-provider-options=${options.join(';')}`,
        '--wsrep-sst-method=skip',
        `--wsrep-data-home-dir=${home}`,
        '--binlog-format=ROW',
        '--innodb-autoinc-lock-mode=2',
        '--innodb-buffer-pool-size=64M',
        '--innodb-log-file-size=16M',
      ],
    })
    services.push(node)
    return node
  }
  const stop = () => {
    for (const service of services) service.stop()
    for (const home of homes) rmSync(home, { recursive: true, force: true })
  }
  try {
    const first = await freePort()
    const a = nodeOf(await start(first, '', 2))
    const status = await statusOf(a.at.href, (of) => of('wsrep_ready') === 'ON')
    // both are empty: the second needs nothing of what the first has
    const state = [
      '# GALERA saved state',
      'version: 2.1',
      `uuid: ${status('wsrep_cluster_state_uuid')}`,
      `seqno: ${status('wsrep_last_committed')}`,
      'safe_to_bootstrap: 0\n',
    ].join('\n')
    const b = nodeOf(await start(await freePort(), `127.0.0.1:${first}`, 1, state))
    for (const { at } of [a, b])
      await statusOf(
        at.href,
        (of) => of('wsrep_cluster_size') === '2' && of('wsrep_ready') === 'ON',
      )
    return { nodes: [a, b] as const, stop }
  } catch (e) {
    stop()
    throw e
  }
}

const nodeOf = ({ env, programs }: Services) => ({
  at: new URL(env.TEST_MYSQL_URL!),
  program: programs.MariaDB!,
})

type Status = (name: string) => string | undefined

/** Waits until what a node says of itself is as wanted. */
async function statusOf(url: string, isWanted: (of: Status) => boolean): Promise<Status> {
  const connection = await createConnection(url)
  try {
    let status = new Map<string, string>()
    const of: Status = (name) => status.get(name)
    await until(
      async () => {
        const [rows] = await connection.query("show status like 'wsrep_%'")
        const said = rows as { Variable_name: string; Value: string }[]
        status = new Map(said.map((r) => [r.Variable_name, r.Value]))
        return isWanted(of)
      },
      () => `The nodes do not form a cluster: ${[...status]}`,
    )
    return of
  } finally {
    await connection.end()
  }
}
