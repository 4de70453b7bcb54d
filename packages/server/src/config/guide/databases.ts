import type { Section } from './section.ts'

export const databases = {
  title: 'Database and Redis',
  variables: {
    JAMBONES_MYSQL_HOST: { unset: 'embedded SQLite', about: 'MySQL or MariaDB.' },
    JAMBONES_MYSQL_PORT: 'Its port.',
    JAMBONES_MYSQL_USER: 'Required with the host.',
    JAMBONES_MYSQL_PASSWORD: { isSecret: true, about: 'Password of that user.' },
    JAMBONES_MYSQL_DATABASE: 'Name of the database. Required with the host.',
    JAMBONES_MYSQL_CONNECTION_LIMIT: 'Connections per process.',
    JAMBONES_MYSQL_WRITE_HOST: {
      unset: 'the host above',
      about:
        'The server that takes writes, where the host above is one that only reads. Switchroom uses only this one.',
    },
    JAMBONES_MYSQL_WRITE_PORT: 'Its port.',
    JAMBONES_MYSQL_WRITE_USER: { unset: 'the user above', about: 'User there.' },
    JAMBONES_MYSQL_WRITE_PASSWORD: {
      unset: 'the password above',
      isSecret: true,
      about: 'Password of that user.',
    },
    JAMBONES_MYSQL_WRITE_DATABASE: {
      unset: 'the database above',
      about: 'Name of the database there.',
    },
    JAMBONES_MYSQL_WRITE_CONNECTION_LIMIT: {
      unset: 'the limit above',
      about: 'Connections per process there.',
    },
    SWITCHROOM_MYSQL_REPLICA_HOST: {
      unset: 'off',
      about:
        'A replica of the database, where lists are counted and searched. Needs Redis. TLS as for the database.',
    },
    SWITCHROOM_MYSQL_REPLICA_PORT: 'Its port.',
    SWITCHROOM_MYSQL_REPLICA_USER: { unset: 'that of the database', about: 'User there.' },
    SWITCHROOM_MYSQL_REPLICA_PASSWORD: {
      unset: 'that of the database',
      isSecret: true,
      about: 'Password of that user.',
    },
    JAMBONES_MYSQL_SSL_CA_FILE: {
      values: 'path',
      unset: 'off',
      about: 'PEM file with the certificate authority. Setting any of the files turns TLS on.',
    },
    JAMBONES_MYSQL_SSL_CERT_FILE: {
      values: 'path',
      unset: 'off',
      about: 'PEM file with our certificate. Goes together with the key.',
    },
    JAMBONES_MYSQL_SSL_KEY_FILE: { values: 'path', unset: 'off', about: 'PEM file with its key.' },
    JAMBONES_MYSQL_REJECT_UNAUTHORIZED: {
      values: 'any value',
      unset: 'verify, with TLS',
      about: 'Any value turns TLS on. `0` or `false` accepts any certificate.',
    },
    JAMBONES_REDIS_HOST: {
      unset: 'a database table',
      about: 'Redis, for sessions, caches and the platform’s live state.',
    },
    JAMBONES_REDIS_PORT: 'Its port.',
    JAMBONES_REDIS_USERNAME: 'Username for Redis.',
    JAMBONES_REDIS_PASSWORD: { isSecret: true, about: 'Password for Redis.' },
    JAMBONES_REDIS_SENTINELS: {
      values: '`host:port`, comma-separated',
      unset: 'off',
      about: 'Redis through Sentinel. Default port 26379.',
    },
    JAMBONES_REDIS_SENTINEL_MASTER_NAME: 'Name of the master. Required with the sentinels.',
    JAMBONES_REDIS_SENTINEL_USERNAME: {
      unset: 'that of Redis',
      about: 'Username for the Redis that the sentinels name, as on the platform.',
    },
    JAMBONES_REDIS_SENTINEL_PASSWORD: {
      unset: 'that of Redis',
      isSecret: true,
      about: 'Password for the Redis that the sentinels name, as on the platform.',
    },
    JAMBONES_REDIS_SENTINEL_SERVER_PASSWORD: {
      isSecret: true,
      about: 'Password for the sentinels themselves.',
    },
    ENABLE_JAMBONES_REDIS_TLS: 'TLS to Redis.',
    JAMBONES_REDIS_TLS_CA_FILE: {
      values: 'path',
      unset: 'off',
      about: 'PEM file with the certificate authority.',
    },
    JAMBONES_REDIS_TLS_CERT_FILE: {
      values: 'path',
      unset: 'off',
      about: 'PEM file with our certificate. Goes together with the key.',
    },
    JAMBONES_REDIS_TLS_KEY_FILE: { values: 'path', unset: 'off', about: 'PEM file with its key.' },
    JAMBONES_CLUSTER_ID: 'Prefix of the platform’s sets in Redis.',
  },
} satisfies Section
