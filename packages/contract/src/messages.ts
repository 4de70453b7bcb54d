import { z } from 'zod'
import { checkedBy, messageProblem } from './call-commands.ts'
import { accountParams } from './common.ts'
import { endpoints, Relayed } from './endpoint.ts'

export const messages = endpoints({
  create: {
    path: '/Accounts/:account_sid/Messages',
    params: accountParams,
    access: 'account',
    method: 'POST',
    summary: 'Send a text message',
    body: checkedBy(z.looseObject({}), messageProblem),
    relayed: true,
    response: Relayed,
  },
})
