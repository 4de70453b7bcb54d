import { Readable } from 'node:stream'
import compress from '@fastify/compress'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { onError } from './failure.ts'

it('answers in plain text when a compressed list fails at its start', async () => {
  const app = Fastify()
  await app.register(compress, { threshold: 1_024, encodings: ['br', 'gzip'] })
  app.setErrorHandler(onError)
  app.get('/', async (_, reply) => {
    async function* rows() {
      await Promise.reject(Object.assign(new Error('lost'), { code: 'PROTOCOL_CONNECTION_LOST' }))
      yield '[]'
    }
    return reply.type('application/json').send(Readable.from(rows()))
  })
  const answer = await app.inject({ url: '/', headers: { 'accept-encoding': 'br' } })
  expect(answer.headers['content-encoding']).toBeUndefined()
  expect([answer.statusCode, answer.json()]).toMatchObject([
    503,
    { code: 'unavailable', msg: 'The database cannot be reached' },
  ])
  await app.close()
})

it('says that a change gave way to another, not that the database is away', async () => {
  const app = Fastify()
  app.setErrorHandler(onError)
  app.get('/', async () => {
    throw Object.assign(new Error('Deadlock found'), { code: 'ER_LOCK_DEADLOCK', errno: 1213 })
  })
  const answer = await app.inject('/')
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1'])
  expect(answer.json().msg).toBe('Someone else is changing the same data. Please try again.')
  await app.close()
})
