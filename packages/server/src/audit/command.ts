import { randomUUID } from 'node:crypto'
import type { Actor } from './record.ts'

/** Actor of a command. Anyone who can run commands on the server controls its database anyway. */
export const commandActor = (name: string): Actor => ({
  scope: { role: 'admin', name: `${name} command`, view_only: false, force_change: false },
  meta: { ip: 'command line', request_id: randomUUID(), version: undefined },
})
