import { z } from 'zod'
import { Sid } from '../wire/common.ts'
import { Download, endpoints } from '../wire/endpoint.ts'

/** An address that messages came from or went to. */
export const SipParty = z.object({ address: z.string(), port: z.number().int() })
export type SipParty = z.infer<typeof SipParty>

export const SipMessage = z.object({
  /** Its place among all. */
  id: z.number().int(),
  /** Microseconds since 1970. */
  at: z.number(),
  /** Places among the parties. */
  source: z.number().int(),
  destination: z.number().int(),
  /** Place among the legs. */
  leg: z.number().int(),
  /** As people call it: `INVITE`, `180 Ringing`. */
  label: z.string(),
  /** What it asks, or what it answers. */
  method: z.string(),
  /** Null: it is no answer. */
  status: z.number().int().nullable(),
  cseq: z.number().int().nullable(),
  transport: z.string(),
  has_media: z.boolean(),
  /** The message that this one says again. */
  repeats: z.number().int().nullable(),
  /** Without proofs of passwords. */
  raw: z.string(),
})
export type SipMessage = z.infer<typeof SipMessage>

export const SipLeg = z.object({
  call_id: z.string(),
  /** The Call-ID of the leg it was made for. */
  parent: z.string().nullable(),
})

/** What is to be said of a call, and the message that shows it. */
export const SipFinding = z.object({
  tone: z.enum(['ok', 'info', 'warn', 'bad']),
  text: z.string(),
  message: z.number().int().nullable(),
})
export type SipFinding = z.infer<typeof SipFinding>

/** In milliseconds; null where the capture does not show it. */
export const SipFigures = z.object({
  /** From the first INVITE to the first sign of life of who is called. */
  post_dial_delay: z.number().nullable(),
  ringing: z.number().nullable(),
  talking: z.number().nullable(),
})
export type SipFigures = z.infer<typeof SipFigures>

export const SipLadder = z.object({
  parties: z.array(SipParty),
  legs: z.array(SipLeg),
  messages: z.array(SipMessage),
  figures: SipFigures,
  /** The worst first. Empty where nothing is to be said. */
  diagnosis: z.array(SipFinding),
  /** There are more messages than are told. */
  cut: z.boolean(),
})
export type SipLadder = z.infer<typeof SipLadder>

/** A Homer's answer, or ours in its shape; clients of the platform look at `total`. */
export const SipTransaction = z.looseObject({ total: z.number() })

export const NO_CAPTURE = 'Capture not found'

const call_id = z.string().min(1, 'Bad request').max(256, 'Bad request')
const ofAccount = { account_sid: Sid, call_id }
const ofServiceProvider = { service_provider_sid: Sid, call_id }
const method = z.enum(['invite', 'register'], 'invite or register')

const seen = { method: 'GET', response: SipTransaction } as const
const file = { method: 'GET', response: Download, download: true } as const
const told = { method: 'GET', response: SipLadder, own: true } as const

/** `call_id` is the SIP Call-ID of a call, or the gateway's sid where its registrations are meant. */
export const captures = endpoints({
  ofAccount: {
    ...seen,
    path: '/Accounts/:account_sid/RecentCalls/:call_id',
    params: z.object(ofAccount),
    access: 'account',
    summary: 'Get the SIP of a call or registration of an account, in Homer’s format',
  },
  pcapOfAccount: {
    ...file,
    path: '/Accounts/:account_sid/RecentCalls/:call_id/:method/pcap',
    params: z.object({ ...ofAccount, method }),
    access: 'account',
    summary: 'Get the SIP capture as a pcap file',
  },
  sipOfAccount: {
    ...told,
    path: '/Accounts/:account_sid/RecentCalls/:call_id/sip',
    params: z.object(ofAccount),
    access: 'account',
    summary: 'Get the SIP capture message by message, with findings',
  },
  ofServiceProvider: {
    ...seen,
    path: '/ServiceProviders/:service_provider_sid/RecentCalls/:call_id',
    params: z.object(ofServiceProvider),
    access: 'service_provider',
    summary: 'Get the SIP of a call or registration of a service provider, in Homer’s format',
  },
  pcapOfServiceProvider: {
    ...file,
    path: '/ServiceProviders/:service_provider_sid/RecentCalls/:call_id/:method/pcap',
    params: z.object({ ...ofServiceProvider, method }),
    access: 'service_provider',
    summary: 'Get the SIP capture as a pcap file',
  },
  sipOfServiceProvider: {
    ...told,
    path: '/ServiceProviders/:service_provider_sid/RecentCalls/:call_id/sip',
    params: z.object(ofServiceProvider),
    access: 'service_provider',
    summary: 'Get the SIP capture message by message, with findings',
  },
})
