import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from '../scripts/build.ts'
import { createMysqlDatabase, mysqlEnvironment, PASSWORD, startSwitchroom } from './harness.ts'
import { completeFile, completeMysql } from './template.ts'

/**
 * Builds what the stories start, some sixty times, and starts it once on each database. As that ends cleanly, Node
 * writes its compile cache, which most of the others, which are killed, do not; and its data folder or database, with
 * the tables, the administrator and a second service provider, is copied for each of those, which is cheaper than to
 * make it. It hashes the administrator's password at full cost, as an operator's server does.
 */
export default async function buildOnce() {
  await build()
  const folder = mkdtempSync(join(tmpdir(), 'switchroom-stories-'))
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')
  const startOnce = async (environment: Record<string, string>) => {
    const server = await startSwitchroom('sqlite', { NODE_OPTIONS: '', ...environment })
    await server.kill('SIGTERM')
    await server.stop()
  }
  const template = join(folder, 'data')
  await startOnce({ SWITCHROOM_DATA: template })
  await completeFile(join(template, 'switchroom.db'), PASSWORD)
  process.env.TEST_TEMPLATE = template
  if (process.env.TEST_MYSQL_URL) {
    const mysql = await createMysqlDatabase()
    await startOnce({ SWITCHROOM_DATA: join(folder, 'beside'), ...mysqlEnvironment(mysql) })
    await completeMysql(mysql, PASSWORD)
    process.env.TEST_MYSQL_TEMPLATE = mysql.database
  }
  return () => rmSync(folder, { recursive: true, force: true })
}
