import { z } from 'zod'
import { ofAccount } from '../wire/common.ts'
import { endpoints, Relayed } from '../wire/endpoint.ts'
import { messageProblem, withCheck } from './new-calls.ts'

export const messages = endpoints({
  create: {
    ...ofAccount('/Messages'),
    method: 'POST',
    summary: 'Send a text message',
    body: withCheck(z.looseObject({}), messageProblem),
    relayed: true,
    response: Relayed,
  },
})
