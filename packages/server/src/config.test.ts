import { describe, expect, it } from 'vitest'
import { BadConfig, readConfig } from './config.ts'

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

  it('is refused with all its mistakes at once, by name and never by value', () => {
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

  it('says what belongs together', () => {
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

  it('names the platform’s stores as the platform does', () => {
    const config = readConfig({
      JAMBONES_MYSQL_HOST: 'db',
      JAMBONES_MYSQL_USER: 'u',
      JAMBONES_MYSQL_PASSWORD: 'p',
      JAMBONES_MYSQL_DATABASE: 'jambones',
      JWT_SECRET: 's',
      JAMBONES_REDIS_SENTINELS: 'a:1, b',
      JAMBONES_REDIS_SENTINEL_MASTER_NAME: 'm',
      RATE_LIMIT_BY: 'system',
      DISABLE_RATE_LIMITS: '',
    })
    expect(config.database).toMatchObject({ host: 'db', port: 3306, connectionLimit: 10 })
    expect(config.redis).toMatchObject({
      name: 'm',
      sentinels: [
        { host: 'a', port: 1 },
        { host: 'b', port: 26379 },
      ],
    })
    expect(config.rate_limit).toEqual({ by: 'system', minutes: 5, max: 6000 })
  })
})
