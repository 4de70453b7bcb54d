import { z } from 'zod'
import { accountParams } from '../wire/common.ts'
import { endpoints, Relayed } from '../wire/endpoint.ts'
import { messageProblem, withCheck } from './new-calls.ts'

export const messages = endpoints({
  create: {
    path: '/Accounts/:account_sid/Messages',
    params: accountParams,
    access: 'account',
    method: 'POST',
    summary: 'Send a text message',
    body: withCheck(z.looseObject({}), messageProblem),
    relayed: true,
    response: Relayed,
  },
})
