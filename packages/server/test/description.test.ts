import Fastify, { type FastifyReply } from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { checkAgainstDescription } from './description.ts'

// Checks that the checker itself finds differences.

const app = Fastify()
checkAgainstDescription(app)
let answer: (reply: FastifyReply) => unknown
app.all('/v1/*', (_, reply) => answer(reply))
afterAll(() => app.close())

const user = { user_sid: 'x', name: 'jane', email: 'jane@example.com' }

it.each<[string, RegExp, () => void]>([
  [
    'a status',
    /users.list answers 418.*no such status/s,
    () => {
      answer = (reply) => reply.status(418).send({})
    },
  ],
  [
    'a type',
    /users.list answers 200.*has application\/json.*this is text\/plain/s,
    () => {
      answer = (reply) => reply.type('text/plain').send('[]')
    },
  ],
  [
    'a member',
    /users.list answers 200.*differs in/s,
    () => {
      answer = (reply) => reply.send([{ ...user, hashed_password: 'x' }])
    },
  ],
  [
    'a refusal',
    /users.list answers 404.*differs in\n.*code/s,
    () => {
      answer = (reply) => reply.status(404).send({ message: 'Not Found' })
    },
  ],
])('fails a test on undocumented %s', async (_, message, set) => {
  set()
  await expect(app.inject('/v1/Users')).rejects.toThrow(message)
})

it('finds the operation for any spelling of the path, and exact paths first', async () => {
  answer = (reply) => reply.status(418).send()
  await expect(app.inject('//V1/users/me/')).rejects.toThrow('users.me')
  await expect(app.inject({ method: 'DELETE', url: '/v1/Users/1?a=b' })).rejects.toThrow(
    'users.remove',
  )
  // requests outside the contract are not checked
  expect((await app.inject('/v1/Nothing')).statusCode).toBe(418)
})
