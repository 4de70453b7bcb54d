import { randomBytes } from 'node:crypto'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/open.ts'
import { seedAdministrator } from '../db/seed.ts'
import { whyGuessable } from '../secrets/guessable-password.ts'

/** Creates the administrator when there are no users, and prints how to log in. */
export async function createAdministrator({ admin_password: given }: Config, db: Db) {
  const password = given ?? randomBytes(12).toString('base64url')
  const created = await seedAdministrator(db, {
    password,
    forceChange: given === undefined,
    // printed before it is stored: after a crash in between, the next start prints another one
    announce: () =>
      process.stdout.write(
        given === undefined
          ? `Log in as admin with the one-time password ${password}\n`
          : 'Log in as admin with the password of SWITCHROOM_ADMIN_PASSWORD\n',
      ),
  })
  // a warning only: laptops and tests choose any password, and an operator can change it on the first log-in
  const reason = created && given !== undefined && (await whyGuessable(given, ['admin']))
  if (reason) process.stderr.write(`SWITCHROOM_ADMIN_PASSWORD: ${reason}\n`)
}
