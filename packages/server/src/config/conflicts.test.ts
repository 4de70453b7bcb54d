import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const problems = (environment: Record<string, string>) => {
  try {
    readConfig(environment)
    return []
  } catch (e) {
    return (e as Error).message.split('\n')
  }
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchroom-config-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

it('reports conflicts along with invalid values', () => {
  expect(
    problems({
      HTTP_PORT: 'canary',
      JAMBONES_MYSQL_HOST: 'db',
      JAMBONES_MYSQL_USER: 'u',
      JAMBONES_MYSQL_PORT: '70000',
      JWT_SECRET: 'canary',
      HOMER_BASE_URL: 'http://homer',
    }),
  ).toEqual([
    'HTTP_PORT: must be a whole number from 0 to 65535',
    'JWT_SECRET: must have at least 12 characters',
    'JAMBONES_MYSQL_PORT: must be a whole number from 1 to 65535',
    'JAMBONES_MYSQL_DATABASE: is required when JAMBONES_MYSQL_HOST is set',
    'HOMER_USERNAME: is required when HOMER_BASE_URL is set',
    'HOMER_PASSWORD: is required when HOMER_BASE_URL is set',
  ])
})

it('rejects short secrets, and requires only the signing secret', () => {
  const mysql = {
    JAMBONES_MYSQL_HOST: 'db',
    JAMBONES_MYSQL_USER: 'u',
    JAMBONES_MYSQL_DATABASE: 'd',
  }
  expect(problems(mysql)).toEqual(['JWT_SECRET: is required when JAMBONES_MYSQL_HOST is set'])
  expect(problems({ ...mysql, JWT_SECRET: 'twelve chars' })).toEqual([])
  for (const more of [{}, mysql])
    expect(problems({ ...more, JWT_SECRET: 'eleven char', ENCRYPTION_SECRET: '7 chars' })).toEqual([
      'JWT_SECRET: must have at least 12 characters',
      'ENCRYPTION_SECRET: must have at least 8 characters',
    ])
})

it('reports a port used by two variables', () => {
  const two = { SWITCHROOM_INGEST_OTLP: '0.0.0.0:4318', SWITCHROOM_INGEST_JAEGER: '4318' }
  expect(problems(two)).toEqual([
    'SWITCHROOM_INGEST_JAEGER: uses the same port as SWITCHROOM_INGEST_OTLP',
  ])
  expect(problems({ SWITCHROOM_INGEST_HEP: '3000' })).toHaveLength(1)
  expect(problems({ SWITCHROOM_INGEST_HEP: '10.0.0.1:3000' })).toEqual([])
})

it('names an unusable TLS file without quoting a key', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const missing = join(folder, 'none.pem')
  expect(
    problems({
      JAMBONES_MYSQL_SSL_CA_FILE: missing,
      JAMBONES_MYSQL_SSL_KEY_FILE: pem,
      JAMBONES_REDIS_TLS_CERT_FILE: file('cert.pem', 'canary'),
      JAMBONES_REDIS_TLS_KEY_FILE: file('key.pem', pem),
      JAMBONES_REDIS_TLS_CA_FILE: folder,
    }),
  ).toEqual([
    `JAMBONES_MYSQL_SSL_CA_FILE: the file "${missing}" cannot be read (it does not exist)`,
    expect.stringMatching(/^JAMBONES_MYSQL_SSL_KEY_FILE: the file it names cannot be read \(.*\)$/),
    'JAMBONES_MYSQL_SSL_CERT_FILE: is required when JAMBONES_MYSQL_SSL_KEY_FILE is set',
    `JAMBONES_REDIS_TLS_CA_FILE: the file "${folder}" cannot be read (it is a folder)`,
    `JAMBONES_REDIS_TLS_CERT_FILE: the file "${join(folder, 'cert.pem')}" holds no certificate in PEM format`,
  ])
})
