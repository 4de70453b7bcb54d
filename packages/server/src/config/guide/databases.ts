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
    JAMBONES_REDIS_SENTINEL_USERNAME: 'Username for the sentinels.',
    JAMBONES_REDIS_SENTINEL_PASSWORD: { isSecret: true, about: 'Password for the sentinels.' },
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
