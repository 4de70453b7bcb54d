import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chdbProgram } from '../scripts/services.ts'
import { freePort } from './ports.ts'
import { until } from './wait.ts'

const SERVER = fileURLToPath(
  new URL('../packages/server/test/clickhouse-server.ts', import.meta.url),
)

/** ClickHouse of a story's own, which can be killed and started again with what it has on its disk. */
export async function startClickHouse() {
  const folder = mkdtempSync(join(tmpdir(), 'switchroom-clickhouse-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  const start = async () => {
    child = spawn(process.execPath, [SERVER, chdbProgram, folder, String(port)], {
      stdio: 'ignore',
    })
    await until(
      () =>
        fetch(`${url}/ping`).then(
          (answer) => answer.ok,
          () => false,
        ),
      () => 'ClickHouse did not start',
    )
  }
  const kill = async () => {
    if (!child) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    child = undefined
  }
  await start()
  return {
    url,
    pid: () => child?.pid,
    start,
    kill,
    async stop() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
