import { describe, expect, it } from 'vitest'
import { BadConfig, examineConfig, readConfig } from './config.ts'

const problems = (environment: Record<string, string>) => {
  try {
    readConfig(environment)
    return []
  } catch (e) {
    expect(e).toBeInstanceOf(BadConfig)
    return (e as Error).message.split('\n')
  }
}

describe('the environment', () => {
  it('is examined as far as it can be read', () => {
    const { config, problems } = examineConfig({
      HTTP_PORT: 'canary',
      JAMBONES_MYSQL_HOST: 'db',
      JAMBONES_MYSQL_SSL_CA_FILE: '/nowhere',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector',
      OTEL_EXPORTER_OTLP_HEADERS: 'key=%zz',
      SWITCHROOM_DATA: '/d',
    })
    expect([...problems.keys()].sort()).toEqual([
      'HTTP_PORT',
      'JAMBONES_MYSQL_DATABASE',
      'JAMBONES_MYSQL_SSL_CA_FILE',
      'JAMBONES_MYSQL_USER',
      'JWT_SECRET',
      'OTEL_EXPORTER_OTLP_HEADERS',
    ])
    expect(config).toMatchObject({ port: 3000, data: '/d', database: { host: 'db' } })
    expect(examineConfig({}).problems.size).toBe(0)
  })

  it('may be empty', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      data: './data',
      database: undefined,
      redis: undefined,
      smtp: undefined,
      token_seconds: 3600,
    })
  })

  it('reports all errors together, with names but no values', () => {
    const found = problems({
      HTTP_PORT: 'canary',
      SMTP_URL: 'canary',
      JWT_EXPIRES_IN: '-1',
      RATE_LIMIT_BY: 'canary',
    })
    expect(found.map((p) => p.split(':')[0]).sort()).toEqual([
      'HTTP_PORT',
      'JWT_EXPIRES_IN',
      'RATE_LIMIT_BY',
      'SMTP_URL',
    ])
    expect(found.join()).not.toContain('canary')
  })

  it('requires all Stripe keys, and exposes only the publishable one', () => {
    const keys = { ENABLE_HOSTED_SYSTEM: '1', STRIPE_API_KEY: 'sk_canary' }
    expect(problems(keys).map((p) => p.split(':')[0])).toEqual([
      'STRIPE_WEBHOOK_SECRET',
      'STRIPE_PUBLISHABLE_KEY',
    ])
    const swapped = { STRIPE_WEBHOOK_SECRET: 'whsec_canary', STRIPE_PUBLISHABLE_KEY: 'sk_canary' }
    expect(problems({ ...keys, ...swapped }).join()).toMatch(/^STRIPE_PUBLISHABLE_KEY: .*pk_/)
    const all = { ...keys, ...swapped, STRIPE_PUBLISHABLE_KEY: 'pk_shown' }
    const config = readConfig({ ...all, STRIPE_BASE_URL: 'https://stripe.example/v1' })
    expect(config.stripe).toMatchObject({ key: 'sk_canary', url: 'https://stripe.example' })
    expect(JSON.stringify(config.page)).not.toContain('canary')
    expect(config.page.STRIPE_PUBLISHABLE_KEY).toBe('pk_shown')
    expect(readConfig({ ...all, ENABLE_HOSTED_SYSTEM: '0' }).stripe).toBeUndefined()
    expect(problems({ STRIPE_BASE_URL: 'https://stripe.example/other' })).toHaveLength(1)
  })

  it('reports variables that must be set together', () => {
    const found = problems({
      JAMBONES_MYSQL_HOST: 'db',
      JAMBONES_REDIS_SENTINELS: 'a:1,b',
      JAMBONES_MYSQL_SSL_CA_FILE: '/nowhere',
    })
    expect(found.map((p) => p.split(':')[0])).toEqual([
      'JAMBONES_MYSQL_USER',
      'JAMBONES_MYSQL_DATABASE',
      'JWT_SECRET',
      'JAMBONES_REDIS_SENTINEL_MASTER_NAME',
      'JAMBONES_MYSQL_SSL_CA_FILE',
    ])
  })

  it('rejects an incomplete sign-in or DNS provider', () => {
    const found = problems({
      GOOGLE_CLIENT_ID: 'id',
      GITHUB_CLIENT_SECRET: 'canary',
      DME_API_KEY: 'canary',
    })
    expect(found).toEqual([
      'GOOGLE_OAUTH_CLIENT_SECRET: is required when GOOGLE_CLIENT_ID is set',
      'GITHUB_CLIENT_ID: is required when GITHUB_CLIENT_SECRET is set',
      'DME_API_SECRET: is required when DME_API_KEY is set',
    ])
  })

  it('accepts both names of the hosted flag, and keeps secrets out of the page', () => {
    for (const name of ['ENABLE_HOSTED_SYSTEM', 'JAMBONES_HOSTING'])
      expect(readConfig({ [name]: '1' }).page.ENABLE_HOSTED_SYSTEM).toBe(true)
    const { oauth, page } = readConfig({
      GOOGLE_CLIENT_ID: 'id',
      GOOGLE_OAUTH_CLIENT_SECRET: 'canary',
      SWITCHROOM_TERMS_URL: 'https://example.com/terms',
    })
    expect(oauth.google).toMatchObject({ issuer: 'https://accounts.google.com' })
    expect(page).toMatchObject({ GOOGLE_CLIENT_ID: 'id', TERMS_URL: 'https://example.com/terms' })
    expect(page.GITHUB_CLIENT_ID).toBe(undefined)
    expect(JSON.stringify(page)).not.toContain('canary')
  })

  it('accepts the platform’s variables for its stores', () => {
    const config = readConfig({
      JAMBONES_MYSQL_HOST: 'db',
      JAMBONES_MYSQL_USER: 'u',
      JAMBONES_MYSQL_PASSWORD: 'p',
      JAMBONES_MYSQL_DATABASE: 'jambones',
      JWT_SECRET: 'twelve chars',
      JAMBONES_REDIS_SENTINELS: 'a:1, b',
      JAMBONES_REDIS_SENTINEL_MASTER_NAME: 'm',
      JAMBONES_REDIS_SENTINEL_USERNAME: 'data',
      JAMBONES_REDIS_SENTINEL_PASSWORD: 'of the data',
      JAMBONES_REDIS_SENTINEL_SERVER_PASSWORD: 'of the sentinels',
      RATE_LIMIT_BY: 'system',
      DISABLE_RATE_LIMITS: '',
    })
    expect(config.database).toMatchObject({ host: 'db', port: 3306, connectionLimit: 10 })
    expect(config.redis).toEqual({
      name: 'm',
      username: 'data',
      password: 'of the data',
      sentinelPassword: 'of the sentinels',
      sentinels: [
        { host: 'a', port: 1 },
        { host: 'b', port: 26379 },
      ],
    })
    expect(config.rate_limit).toEqual({ by: 'system', minutes: 5, max: 6000 })
  })

  it('uses the platform’s server for writes, and what it names there', () => {
    const database = (more: Record<string, string>) =>
      readConfig({
        JAMBONES_MYSQL_HOST: 'reads',
        JAMBONES_MYSQL_PORT: '3307',
        JAMBONES_MYSQL_USER: 'u',
        JAMBONES_MYSQL_PASSWORD: 'p',
        JAMBONES_MYSQL_DATABASE: 'd',
        JWT_SECRET: 'twelve chars',
        ...more,
      }).database
    expect(database({ JAMBONES_MYSQL_WRITE_HOST: 'writes' })).toEqual({
      kind: 'mysql',
      host: 'writes',
      port: 3306,
      user: 'u',
      password: 'p',
      database: 'd',
      connectionLimit: 10,
    })
    expect(
      database({
        JAMBONES_MYSQL_WRITE_HOST: 'writes',
        JAMBONES_MYSQL_WRITE_PORT: '3308',
        JAMBONES_MYSQL_WRITE_USER: 'wu',
        JAMBONES_MYSQL_WRITE_PASSWORD: 'wp',
        JAMBONES_MYSQL_WRITE_DATABASE: 'wd',
        JAMBONES_MYSQL_WRITE_CONNECTION_LIMIT: '4',
      }),
    ).toMatchObject({ port: 3308, user: 'wu', password: 'wp', database: 'wd', connectionLimit: 4 })
    expect(database({})).toMatchObject({ host: 'reads', port: 3307 })
    expect(problems({ JAMBONES_MYSQL_WRITE_USER: 'u' })).toEqual([
      'JAMBONES_MYSQL_WRITE_HOST: is required when JAMBONES_MYSQL_WRITE_USER is set',
    ])
  })

  it('sets where call records are stored', () => {
    const at = (environment: Record<string, string>) => readConfig(environment).telemetry
    expect(at({ SWITCHROOM_DATA: '/d' })).toEqual({
      kind: 'embedded',
      folder: '/d/telemetry',
      days: 30,
      max_bytes: 20e9,
      listen: undefined,
    })
    const listen = (SWITCHROOM_INGEST_INFLUX: string) => at({ SWITCHROOM_INGEST_INFLUX })
    expect(listen('0.0.0.0:8086')).toMatchObject({ listen: { host: '0.0.0.0', port: 8086 } })
    expect(listen('[::1]:8086')).toMatchObject({ listen: { host: '::1', port: 8086 } })
    expect(listen('8086')).toMatchObject({ listen: { host: '127.0.0.1', port: 8086 } })
    expect(at({ JAMBONES_TIME_SERIES_HOST: 'influx' })).toEqual({
      kind: 'influx',
      url: 'http://influx:8086',
    })
    expect(at({ JAMBONES_TIME_SERIES_HOST: 'influx:1' })).toEqual({
      kind: 'influx',
      url: 'http://influx:1',
    })
    for (const wrong of ['host', 'host:99999', 'a/b:1', ':'])
      expect(problems({ SWITCHROOM_INGEST_INFLUX: wrong })[0]).toMatch(/^SWITCHROOM_INGEST_INFLUX/)
    for (const wrong of ['a/b', 'user:secret@host', 'http://host'])
      expect(problems({ JAMBONES_TIME_SERIES_HOST: wrong })[0]).toMatch(
        /^JAMBONES_TIME_SERIES_HOST/,
      )
    const both = { JAMBONES_TIME_SERIES_HOST: 'influx', SWITCHROOM_INGEST_INFLUX: '8086' }
    expect(problems(both)[0]).toMatch(/^SWITCHROOM_INGEST_INFLUX/)
  })

  it('stores call records in ClickHouse', () => {
    const url = 'https://clickhouse:8443'
    const environment = {
      SWITCHROOM_DATA: '/d',
      SWITCHROOM_CLICKHOUSE_URL: url,
      SWITCHROOM_CLICKHOUSE_USER: 'switchroom',
      SWITCHROOM_CLICKHOUSE_PASSWORD: 'secret',
      SWITCHROOM_CLICKHOUSE_CLUSTER: 'calls',
      SWITCHROOM_INGEST_INFLUX: '0.0.0.0:8086',
      SWITCHROOM_TELEMETRY_DAYS: '90',
    }
    expect(readConfig(environment).telemetry).toEqual({
      kind: 'clickhouse',
      clickhouse: {
        url,
        user: 'switchroom',
        password: 'secret',
        database: 'switchroom',
        cluster: 'calls',
        ca: undefined,
      },
      days: 90,
      spool: { folder: '/d/clickhouse', max_bytes: 2e9 },
      listen: { host: '0.0.0.0', port: 8086 },
      pause_ms: 1_000,
    })
    for (const [name, wrong] of [
      ['SWITCHROOM_CLICKHOUSE_URL', 'clickhouse:8123'],
      ['SWITCHROOM_CLICKHOUSE_DATABASE', 'a`b'],
      ['SWITCHROOM_CLICKHOUSE_CLUSTER', "a'b"],
      ['JAMBONES_TIME_SERIES_HOST', 'influx'],
    ] as const)
      expect(problems({ ...environment, [name]: wrong }).join()).toContain(name)
    expect(problems({ SWITCHROOM_CLICKHOUSE_USER: 'switchroom' })[0]).toMatch(
      /SWITCHROOM_CLICKHOUSE_URL/,
    )
  })

  it('stores traces and SIP in ClickHouse too, unless Jaeger and Homer have them', () => {
    const environment = {
      SWITCHROOM_DATA: '/d',
      SWITCHROOM_CLICKHOUSE_URL: 'http://clickhouse:8123',
    }
    const { telemetry, traces, captures } = readConfig({
      ...environment,
      SWITCHROOM_INGEST_OTLP: '4318',
      SWITCHROOM_INGEST_HEP: '9060',
      SWITCHROOM_INGEST_HEP_KEY: 'key',
    })
    const { listen: _, ...shared } = telemetry as Extract<typeof telemetry, { kind: 'clickhouse' }>
    const spool = (name: string) => ({ folder: `/d/clickhouse/${name}`, max_bytes: 2e9 })
    expect(traces).toEqual({
      ...shared,
      spool: spool('traces'),
      listen: [{ host: '127.0.0.1', port: 4318 }],
    })
    expect(captures).toEqual({
      ...shared,
      spool: spool('captures'),
      listen: { host: '127.0.0.1', port: 9060 },
      key: 'key',
    })
    const jaeger = readConfig({ ...environment, JAEGER_BASE_URL: 'http://jaeger' })
    expect(jaeger.traces).toMatchObject({ kind: 'jaeger' })
    const homer = { HOMER_BASE_URL: 'http://homer', HOMER_USERNAME: 'u', HOMER_PASSWORD: 'p' }
    expect(readConfig({ ...environment, ...homer }).captures).toMatchObject({ kind: 'homer' })
  })

  it('sets where traces are stored', () => {
    const at = (environment: Record<string, string>) => readConfig(environment).traces
    expect(at({ SWITCHROOM_DATA: '/d' })).toEqual({
      kind: 'embedded',
      folder: '/d/traces',
      days: 30,
      max_bytes: 10e9,
      listen: [],
    })
    expect(
      at({
        SWITCHROOM_INGEST_OTLP: '4318',
        SWITCHROOM_INGEST_JAEGER: '0.0.0.0:14268',
        SWITCHROOM_TRACES_MAX_GB: '2',
      }),
    ).toMatchObject({
      max_bytes: 2e9,
      listen: [
        { host: '127.0.0.1', port: 4318 },
        { host: '0.0.0.0', port: 14268 },
      ],
    })
    const jaeger = { JAEGER_BASE_URL: 'http://jaeger:16686/' }
    expect(at(jaeger)).toEqual({ kind: 'jaeger', url: 'http://jaeger:16686' })
    for (const name of ['SWITCHROOM_INGEST_OTLP', 'SWITCHROOM_INGEST_JAEGER']) {
      expect(problems({ [name]: 'a/b:1' })[0]).toMatch(new RegExp(`^${name}`))
      expect(problems({ ...jaeger, [name]: '4318' })[0]).toMatch(new RegExp(`^${name}`))
    }
    expect(problems({ JAEGER_BASE_URL: 'jaeger' })[0]).toMatch(/^JAEGER_BASE_URL/)
  })

  it('accepts recordings with a username and password, in either spelling, or with neither', () => {
    expect(readConfig({}).recordings).toEqual({
      folder: 'data/recordings',
      days: 30,
      max_bytes: 50e9,
      at_once: 1_000,
      credential: undefined,
    })
    const { recordings } = readConfig({
      JAMBONES_RECORD_WS_USERNAME: 'u',
      JAMBONZ_RECORD_WS_PASSWORD: 'p',
      SWITCHROOM_DATA: '/d',
      SWITCHROOM_RECORDINGS_DAYS: '7',
      SWITCHROOM_RECORDINGS_MAX_GB: '0.5',
      SWITCHROOM_RECORDINGS_AT_ONCE: '3',
    })
    expect(recordings).toEqual({
      folder: '/d/recordings',
      days: 7,
      max_bytes: 5e8,
      at_once: 3,
      credential: { username: 'u', password: 'p' },
    })
    expect(problems({ JAMBONZ_RECORD_WS_PASSWORD: 'canary' })).toEqual([
      'JAMBONZ_RECORD_WS_USERNAME: is required when JAMBONZ_RECORD_WS_PASSWORD is set',
    ])
    expect(problems({ JAMBONZ_RECORD_WS_USERNAME: 'u' })).toHaveLength(1)
    expect(problems({ SWITCHROOM_RECORDINGS_AT_ONCE: '0' })).toHaveLength(1)
  })

  it('sets where SIP captures are stored', () => {
    const at = (environment: Record<string, string>) => readConfig(environment).captures
    expect(at({ SWITCHROOM_DATA: '/d', SWITCHROOM_TELEMETRY_DAYS: '7' })).toEqual({
      kind: 'embedded',
      folder: '/d/captures',
      days: 7,
      max_bytes: 10e9,
      listen: undefined,
      key: undefined,
    })
    const hepSettings = { SWITCHROOM_INGEST_HEP: '0.0.0.0:9060', SWITCHROOM_INGEST_HEP_KEY: 'k' }
    expect(at({ ...hepSettings, SWITCHROOM_CAPTURES_MAX_GB: '0.5' })).toMatchObject({
      max_bytes: 5e8,
      listen: { host: '0.0.0.0', port: 9060 },
      key: 'k',
    })
    const homer = { HOMER_BASE_URL: 'http://homer:9080/', HOMER_USERNAME: 'u', HOMER_PASSWORD: 'p' }
    expect(at(homer)).toEqual({
      kind: 'homer',
      url: 'http://homer:9080',
      username: 'u',
      password: 'p',
    })
    const first = (environment: Record<string, string>) => problems(environment)[0]
    expect(problems({ HOMER_BASE_URL: 'http://homer' }).map((p) => p.split(':')[0])).toEqual([
      'HOMER_USERNAME',
      'HOMER_PASSWORD',
    ])
    expect(first({ ...homer, HOMER_BASE_URL: 'canary' })).toMatch(/^HOMER_BASE_URL(?!.*canary)/)
    expect(first({ ...homer, SWITCHROOM_INGEST_HEP: '9060' })).toMatch(/^SWITCHROOM_INGEST_HEP/)
    expect(first({ SWITCHROOM_INGEST_HEP: 'a/b:1' })).toMatch(/^SWITCHROOM_INGEST_HEP/)
    expect(first({ SWITCHROOM_INGEST_HEP_KEY: 'k' })).toMatch(/^SWITCHROOM_INGEST_HEP_KEY/)
    expect(first({ SWITCHROOM_CAPTURES_MAX_GB: '0' })).toMatch(/^SWITCHROOM_CAPTURES_MAX_GB/)
  })
})
