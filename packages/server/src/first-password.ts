import { randomBytes } from 'node:crypto'
import type { Config } from './config.ts'
import type { Db } from './db/open.ts'
import { seedAdministrator } from './db/seed.ts'

/** Makes the administrator where there is no user yet, and says how to log in. */
export async function firstPassword({ admin_password: given }: Config, db: Db) {
  const password = given ?? randomBytes(12).toString('base64url')
  await seedAdministrator(db, {
    password,
    forceChange: given === undefined,
    // said before it is stored: killed in between, the next start says another one
    announce: () =>
      process.stdout.write(
        given === undefined
          ? `Log in as admin with the one-time password ${password}\n`
          : 'Log in as admin with the password of SWITCHROOM_ADMIN_PASSWORD\n',
      ),
  })
}
