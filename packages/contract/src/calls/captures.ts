import { z } from 'zod'
import { Sid } from '../wire/common.ts'
import { Download, endpoints } from '../wire/endpoint.ts'
import { Integer, IntegerOrNull, NumberOrNull, StringOrNull } from '../wire/fields.ts'
import { t } from '../wire/text.ts'

/** An address that sent or received messages. */
export const SipParty = z.object({ address: z.string(), port: Integer })
export type SipParty = z.infer<typeof SipParty>

export const SipMessage = z.object({
  /** The index of the message. */
  id: Integer,
  /** Microseconds since 1970. */
  at: z.number(),
  /** Indexes of parties. */
  source: Integer,
  destination: Integer,
  /** Index of a leg. */
  leg: Integer,
  /** The label: `INVITE`, `180 Ringing`. */
  label: z.string(),
  /** The method of the request, or of the request it answers. */
  method: z.string(),
  /** Null for a request. */
  status: IntegerOrNull,
  cseq: IntegerOrNull,
  transport: z.string(),
  has_media: z.boolean(),
  /** The index of the message that this one retransmits. */
  repeats: IntegerOrNull,
  /** True if it was captured after the message that follows it here: clocks differ by less than a round trip. */
  reordered: z.boolean(),
  /** The message as text, without credentials. */
  raw: z.string(),
})
export type SipMessage = z.infer<typeof SipMessage>

export const SipLeg = z.object({
  call_id: z.string(),
  /** The Call-ID of the leg that caused this one. */
  parent: StringOrNull,
})

/** A finding about a call, and the message that shows it. */
export const SipFinding = z.object({
  tone: z.enum(['ok', 'info', 'warn', 'bad']),
  text: z.string(),
  message: IntegerOrNull,
})
export type SipFinding = z.infer<typeof SipFinding>

/** Figures of a call in milliseconds; null if the capture does not show them. */
export const SipFigures = z.object({
  /** Post-dial delay: from the first INVITE to the first ringing or answer. */
  post_dial_delay: NumberOrNull,
  ringing: NumberOrNull,
  talking: NumberOrNull,
})
export type SipFigures = z.infer<typeof SipFigures>

/** How a call ended, according to its SIP. */
export const SipEnding = z.object({
  /** A BYE, a CANCEL before the answer, or a final error response. */
  how: z.enum(['hangup', 'cancel', 'failure']),
  /**
   * Sender of that message: either end of the call, or the platform between them. Null if the capture does not
   * show it.
   */
  by: z.enum(['caller', 'called', 'platform']).nullable(),
  /** Text of its Reason or Warning header: `Normal Clearing`. */
  reason: StringOrNull,
  /** The final response, if the call was not answered: `486 Busy Here`. */
  status: StringOrNull,
})
export type SipEnding = z.infer<typeof SipEnding>

export const SipLadder = z.object({
  parties: z.array(SipParty),
  legs: z.array(SipLeg),
  messages: z.array(SipMessage),
  figures: SipFigures,
  /** Null if the capture does not show how the call ended. */
  ending: SipEnding.nullable(),
  /** The most severe first. */
  diagnosis: z.array(SipFinding),
  /** True if messages were left out. */
  cut: z.boolean(),
})
export type SipLadder = z.infer<typeof SipLadder>

/** Homer's response, or ours in the same shape. Platform clients read `total`. */
export const SipTransaction = z.looseObject({ total: z.number() })

export const NO_CAPTURE = t('Capture not found')

const call_id = z.string().min(1, t('Bad request')).max(256, t('Bad request'))
const ofAccount = { account_sid: Sid, call_id }
const ofServiceProvider = { service_provider_sid: Sid, call_id }
const method = z.enum(['invite', 'register'], t('invite or register'))

const seen = { method: 'GET', response: SipTransaction } as const
const file = { method: 'GET', response: Download, download: true } as const
const ladder = { method: 'GET', response: SipLadder, own: true } as const

/** `call_id` is the SIP Call-ID of a call, or a gateway's sid for its registrations. */
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
    ...ladder,
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
    ...ladder,
    path: '/ServiceProviders/:service_provider_sid/RecentCalls/:call_id/sip',
    params: z.object(ofServiceProvider),
    access: 'service_provider',
    summary: 'Get the SIP capture message by message, with findings',
  },
})
