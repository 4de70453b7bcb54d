import { DatabaseSync } from 'node:sqlite'
import { type ConnectionOptions, createConnection } from 'mysql2/promise'

/** The service provider that every world has beside the default one. By name and by sid it is the second. */
export const NEIGHBOUR = {
  service_provider_sid: 'fa1d2b76-5c1e-4f0b-9d53-2f9f6f4b7a10',
  name: 'neighbour telecom',
}

const INSERT = 'insert into service_providers (service_provider_sid, name) values (?, ?)'
const VALUES = [NEIGHBOUR.service_provider_sid, NEIGHBOUR.name]

// written as the platform's own programs would: a request would be in the audit log, and needs a session

export function addNeighbourToFile(file: string) {
  const database = new DatabaseSync(file)
  database.prepare(INSERT).run(...VALUES)
  database.close()
}

export async function addNeighbour(mysql: ConnectionOptions) {
  const connection = await createConnection(mysql)
  await connection.execute(INSERT, VALUES)
  await connection.end()
}
