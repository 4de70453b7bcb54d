import { type Config, readConfig } from '../packages/server/src/config/config.ts'
import { endAllByCommand } from '../packages/server/src/session/sessions/end-all.ts'
import { exitBecause } from '../packages/server/src/start/errors.ts'
import { openStore } from './store.ts'

/** Ends all sessions of all users, as is needed once a dump of the database has been loaded. */
let config: Config | undefined
try {
  config = readConfig(process.env)
  const { close, ...store } = await openStore(config)
  await endAllByCommand(store)
  await close()
  console.log('All users have to log in again.')
} catch (e) {
  exitBecause(e, config, 'The sessions cannot be ended')
}
process.exit(0)
