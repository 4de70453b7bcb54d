import { z } from 'zod'
import { endpoints, Relayed } from '../wire/endpoint.ts'
import { t } from '../wire/text.ts'

export const NO_SMS_PROVIDER = t(
  'outboundSMS - unable to locate sms provider to use to send message',
)

/** Text messages between SMS carriers and feature servers, converted by the operator's SMS modules. */
export const messaging = endpoints({
  receive: {
    path: '/messaging/:provider',
    params: z.object({ provider: z.string().min(1).max(255) }),
    access: 'public',
    method: 'POST',
    summary: 'Receive a text message from an SMS carrier for the application of its number',
    // any body: it depends on the SMS carrier
    body: z.looseObject({}),
    relayed: true,
    response: Relayed,
  },
  send: {
    path: '/outboundSMS',
    access: 'public',
    privateNetworkOnly: true,
    method: 'POST',
    summary: 'Send a text message through an SMS carrier, for feature servers',
    body: z.looseObject({ provider: z.string().max(255).nullish() }),
    relayed: true,
    response: Relayed,
  },
})
