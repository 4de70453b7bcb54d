import { join } from 'node:path'
import { Redis } from 'ioredis'
import { type Connection, createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freePort, type Services, startServices } from '../../../../../scripts/services.ts'
import { emptyMysql, kinds, mysqlAt } from '../../../test/database.ts'
import {
  CANARY,
  diagnose,
  type Environment,
  expectFindings,
  HOST,
  setUp,
  standIn,
} from '../../../test/set-up.ts'
import { readConfig } from '../../config/config.ts'
import { openDb } from '../../db/open.ts'
import { prepareDatabase } from '../../db/prepare.ts'
import { newWatch } from '../../db/watched.ts'
import { secretBox } from '../../secrets/secret-box.ts'
import { startDatabase } from '../../start/database.ts'

const { folders } = setUp()

describe.runIf(process.env.TEST_REDIS_URL)('names what is wrong with Redis:', () => {
  let services: Services
  let redis: Redis
  let environment: Environment
  const endings: (() => unknown)[] = []
  const addEnding = (end: () => unknown) => endings.push(end)
  beforeAll(async () => {
    services = await startServices(['Redis'])
    const port = Number(new URL(services.env.TEST_REDIS_URL!).port)
    redis = new Redis({ port })
    redis.on('error', () => undefined)
    environment = {
      ...folders.healthy(),
      JAMBONES_REDIS_HOST: HOST,
      JAMBONES_REDIS_PORT: String(port),
    }
    await redis.sadd('default:fs-service-url', `http://${await standIn({ add: addEnding })}`)
  })
  afterAll(() => {
    redis.disconnect()
    services.stop()
    for (const end of endings) end()
  })

  const withSetting = async (name: string, value: string, work: () => Promise<void>) => {
    const [, before] = (await redis.config('GET', name)) as [string, string]
    await redis.config('SET', name, value)
    try {
      await work()
    } finally {
      await redis.config('SET', name, before)
    }
  }

  it('nothing, if it is healthy, and writes nothing to it', async () => {
    const keys = await redis.keys('*')
    await expectFindings(environment, [])
    expect(await redis.keys('*')).toEqual(keys)
  })

  it('a wrong password, and nothing that listens', async () => {
    await withSetting('requirepass', `${CANARY}-right`, async () => {
      await redis.auth(`${CANARY}-right`)
      const wrong = { ...environment, JAMBONES_REDIS_PASSWORD: `${CANARY}-wrong` }
      await expectFindings(wrong, [
        [
          'redis',
          'problem',
          /does not accept these credentials/,
          /^Correct JAMBONES_REDIS_USERNAME/,
        ],
      ])
      await expectFindings(environment, [
        ['redis', 'problem', /does not accept these credentials/, /JAMBONES_REDIS_PASSWORD/],
      ])
      await expectFindings({ ...environment, JAMBONES_REDIS_PASSWORD: `${CANARY}-right` }, [])
    })
    await expectFindings({ ...environment, JAMBONES_REDIS_PORT: String(await freePort()) }, [
      ['redis', 'problem', /^Nothing listens at 127/, /^Make sure that Redis runs/],
    ])
  })

  it('no memory left, and a policy that deletes sessions', async () => {
    await withSetting('maxmemory', '100kb', async () => {
      await expectFindings(environment, [
        ['redis_writes', 'problem', /full and refuses writes/, /Raise maxmemory/],
      ])
    })
    await withSetting('maxmemory', '1gb', async () => {
      await expectFindings(environment, [])
      await withSetting('maxmemory-policy', 'allkeys-lru', () =>
        expectFindings(environment, [
          ['redis_writes', 'warning', /allkeys-lru deletes sessions/, /noeviction/],
        ]),
      )
    })
  })

  it('a user who may not write, and a replica', async () => {
    await redis.acl('SETUSER', 'reader', 'on', `>${CANARY}`, '~*', '+@all', '-set')
    const reader = { JAMBONES_REDIS_USERNAME: 'reader', JAMBONES_REDIS_PASSWORD: CANARY }
    await expectFindings({ ...environment, ...reader }, [
      ['redis_writes', 'problem', /may not write/, /ACL SETUSER/],
    ])
    await redis.replicaof(HOST, await freePort())
    try {
      await expectFindings(environment, [
        ['redis', 'problem', /a replica, which refuses writes/, /JAMBONES_REDIS_SENTINELS/],
      ])
    } finally {
      await redis.replicaof('NO', 'ONE')
    }
  })

  it('feature servers that are gone, or have another cluster', async () => {
    const gone = `http://${HOST}:${await freePort()}`
    await redis.sadd('other:fs-service-url', gone)
    await expectFindings({ ...environment, JAMBONES_CLUSTER_ID: 'other' }, [
      ['feature_servers', 'problem', new RegExp(`${gone} cannot be reached`), /Make sure/],
    ])
    await expectFindings({ ...environment, JAMBONES_CLUSTER_ID: 'none' }, [
      ['feature_servers', 'warning', /No feature server has registered/, /JAMBONES_CLUSTER_ID/],
    ])
  })
})

describe.runIf(kinds.includes('mysql'))('names what is wrong with MariaDB:', () => {
  let at: ReturnType<typeof mysqlAt>
  let root: Connection
  let environment: Environment
  const USER = `doctor_${process.env.VITEST_POOL_ID ?? 0}`
  const run = (statement: string) => root.query(statement)
  const withStatement = async (change: string, undo: string, work: () => Promise<void>) => {
    await run(change)
    try {
      await work()
    } finally {
      await run(undo)
    }
  }

  beforeAll(async () => {
    at = mysqlAt('doctor_test')
    await emptyMysql(at)
    const db = openDb(at)
    await prepareDatabase(db)
    await db.destroy()
    const { kind: _, connectionLimit: __, ...options } = at
    root = await createConnection(options)
    environment = {
      ...folders.healthy(),
      JWT_SECRET: CANARY,
      JAMBONES_MYSQL_HOST: at.host,
      JAMBONES_MYSQL_PORT: String(at.port),
      JAMBONES_MYSQL_USER: at.user,
      JAMBONES_MYSQL_PASSWORD: at.password,
      JAMBONES_MYSQL_DATABASE: at.database,
    }
  })
  beforeEach(async () => {
    await run(`create or replace user ${USER} identified by '${CANARY}'`)
  })
  afterAll(async () => {
    await run(`drop user if exists ${USER}`)
    await root.end()
  })
  /** The same as a user with these rights on the database. */
  const asUserWith = async (rights: string) => {
    await run(`grant ${rights} on \`${at.database}\`.* to ${USER}`)
    return { ...environment, JAMBONES_MYSQL_USER: USER, JAMBONES_MYSQL_PASSWORD: CANARY }
  }
  const allRights = 'select, insert, update, delete, create, alter, index, references'

  it('nothing, if it is healthy, and changes no row', async () => {
    const [before] = await run('checksum table accounts, users, switchroom_audit')
    await expectFindings(environment, [])
    await expectFindings(await asUserWith(allRights), [])
    expect((await run('checksum table accounts, users, switchroom_audit'))[0]).toEqual(before)
    const { results } = await diagnose(environment)
    expect(results.find(({ check }) => check === 'clock')?.sentence).toBe(
      'Agrees with that of the database.',
    )
  })

  it('no data folder, which the first start makes', async () => {
    const fresh = {
      ...environment,
      SWITCHROOM_DATA: join(environment.SWITCHROOM_DATA!, 'of', 'ours'),
    }
    await expectFindings(fresh, [
      ['data_folder', 'warning', /no data folder/, /first start creates/],
    ])
    const { db } = await startDatabase(readConfig(fresh), newWatch())
    await db.destroy()
    await expectFindings(fresh, [])
  })

  it('nothing that listens, a wrong password, a database that is not there', async () => {
    const port = String(await freePort())
    await expectFindings({ ...environment, JAMBONES_MYSQL_PORT: port }, [
      ['database', 'problem', /^Nothing listens at/, /^Make sure that the database runs/],
    ])
    const user = await asUserWith(allRights)
    await expectFindings({ ...user, JAMBONES_MYSQL_PASSWORD: 'canary-wrong' }, [
      ['database', 'problem', /does not accept user "doctor_/, /JAMBONES_MYSQL_PASSWORD/],
    ])
    await expectFindings({ ...environment, JAMBONES_MYSQL_DATABASE: 'nothing_here' }, [
      ['database', 'problem', /has no database "nothing_here"/, /JAMBONES_MYSQL_DATABASE/],
    ])
  })

  it('a user who may not write, or not create tables', async () => {
    await expectFindings(await asUserWith('select, create'), [
      [
        'database_rights',
        'problem',
        /lacks the right to insert, update, delete on \d+ tables/,
        /grant select, insert.* to 'doctor_/,
      ],
    ])
    await run(`create or replace user ${USER} identified by '${CANARY}'`)
    await expectFindings(await asUserWith('select, insert, update, delete'), [
      [
        'database_rights',
        'warning',
        /may not create tables, which the next upgrade/,
        /grant create/,
      ],
    ])
  })

  it('a database that lacks a column or a table, is newer, or is not prepared', async () => {
    await withStatement(
      'alter table phone_numbers rename column number to other',
      'alter table phone_numbers rename column other to number',
      () =>
        expectFindings(environment, [
          ['database_shape', 'problem', /lacks column phone_numbers\.number/, /platform’s tables/],
        ]),
    )
    await withStatement(
      'rename table switchroom_sessions to gone',
      'rename table gone to switchroom_sessions',
      () =>
        expectFindings(environment, [
          ['database_shape', 'problem', /lacks table switchroom_sessions/, /complete backup/],
        ]),
    )
    await withStatement(
      `insert into switchroom_migrations values ('999-later', '')`,
      `delete from switchroom_migrations where name = '999-later'`,
      () =>
        expectFindings(environment, [
          ['migrations', 'problem', /newer version .* 999-later/, /Start that version/],
        ]),
    )
    await withStatement(
      'rename table switchroom_migrations to gone',
      'rename table gone to switchroom_migrations',
      () => expectFindings(environment, []),
    )
  })

  it('an engine without transactions, a character set, too many connections', async () => {
    const expectWarnings = () =>
      expectFindings({ ...environment, JAMBONES_MYSQL_CONNECTION_LIMIT: '999' }, [
        ['database_settings', 'warning', /CONNECTION_LIMIT is 999 .* max_connections/, /Lower/],
        ['database_settings', 'warning', /switchroom_saved_views: not InnoDB/, /engine=InnoDB/],
        ['database_settings', 'warning', /password_settings: not UTF-8/, /utf8mb4/],
      ])
    await withStatement(
      'alter table switchroom_saved_views engine=MyISAM',
      'alter table switchroom_saved_views engine=InnoDB',
      () =>
        withStatement(
          'alter table password_settings convert to character set latin1',
          'alter table password_settings convert to character set utf8mb4',
          expectWarnings,
        ),
    )
  })

  it('a secret that does not decrypt what the platform’s components stored', async () => {
    const box = secretBox({ secret: `${CANARY}-of-the-platform`, legacy: true })
    await withStatement(
      `insert into speech_credentials (speech_credential_sid, vendor, credential)
        values ('s', 'google', '${box.seal('{"canary":"a key of some length"}')}')`,
      'delete from speech_credentials',
      async () => {
        await expectFindings(environment, [
          [
            'stored_secrets',
            'problem',
            /^JWT_SECRET does not decrypt/,
            /Without it, JWT_SECRET is used/,
          ],
        ])
        await expectFindings({ ...environment, ENCRYPTION_SECRET: `${CANARY}-of-the-platform` }, [])
      },
    )
  })

  it('a certificate file that is not there', async () => {
    await expectFindings(
      { ...environment, JAMBONES_MYSQL_SSL_CA_FILE: join(folders.root, 'nothing.pem') },
      [['variables', 'problem', /JAMBONES_MYSQL_SSL_CA_FILE: the file .*does not exist/, /SSL_CA/]],
    )
  })
})
