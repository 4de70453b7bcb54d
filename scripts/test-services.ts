import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Service } from './services.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const SUPPORT = ['e2e/', 'scripts/', 'packages/server/test/'].map((folder) => join(root, folder))

/** The environment variable by which tests find each service. */
const VARIABLE: Record<Service, string> = {
  MariaDB: 'TEST_MYSQL_URL',
  Redis: 'TEST_REDIS_URL',
  InfluxDB: 'TEST_INFLUX_URL',
  ClickHouse: 'TEST_CLICKHOUSE_URL',
  Chromium: 'CHROMIUM',
  SIPp: 'SIPP',
  TShark: 'TSHARK',
}

/** The services that test files (paths from the root) ask for by environment variable, themselves or through their support. */
export function servicesOf(files: string[]): Service[] {
  const texts = new Map<string, string>()
  const collect = (file: string) => {
    if (texts.has(file)) return
    const text = readFileSync(file, 'utf8')
    texts.set(file, text)
    for (const [, to] of text.matchAll(/(?:from|import\() ?'(\.[^']+\.ts)'/g)) {
      const support = join(dirname(file), to!)
      // these start the services that tests ask for, and name all of them
      const isRunner = support === join(root, 'scripts/services.ts')
      if (!isRunner && SUPPORT.some((folder) => support.startsWith(folder))) collect(support)
    }
  }
  for (const file of files) collect(join(root, file))
  const all = [...texts.values()].join('\n')
  return (Object.keys(VARIABLE) as Service[]).filter((s) =>
    new RegExp(`process\\.env\\.${VARIABLE[s]}\\b`).test(all),
  )
}
