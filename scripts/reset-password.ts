import { randomBytes } from 'node:crypto'
import { type Config, readConfig } from '../packages/server/src/config/config.ts'
import { tokens } from '../packages/server/src/http/tokens.ts'
import { exitBecause } from '../packages/server/src/start/errors.ts'
import { NotReset, resetPassword } from '../packages/server/src/users/reset-password.ts'
import { openStore } from './store.ts'

/** Sets a one-time password for a user in the configured database. The server may be running. */
const FLAG = '--second-factor'
const [name] = process.argv.slice(2).filter((word) => word !== FLAG)
const secondFactor = process.argv.includes(FLAG)
if (!name) {
  console.error('Usage: npm run reset-password -- <username, email or sid> [--second-factor]')
  process.exit(2)
}
let config: Config | undefined
try {
  config = readConfig(process.env)
  const { close, ...store } = await openStore(config)
  // signs nothing: ending sessions needs only the tokens' lifetime
  const unused = tokens(randomBytes(32).toString('hex'), config.token_seconds)
  const { password, is_active, has_second_factor, ...user } = await resetPassword(
    { ...store, tokens: unused },
    name,
    { secondFactor },
  )
  console.log(`${user.name} can log in with the one-time password ${password}`)
  if (has_second_factor)
    console.log(`${user.name} needs the second factor too. With ${FLAG} it is removed.`)
  if (!is_active)
    console.log(
      `${user.name} is deactivated. Another administrator has to activate the user first.`,
    )
  await close()
} catch (e) {
  if (!(e instanceof NotReset)) exitBecause(e, config, 'The password cannot be reset')
  console.error(e.message)
  process.exit(1)
}
process.exit(0)
