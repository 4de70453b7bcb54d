import type { Call, SipLadder } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'
import { textOf } from '../../stores/sip/sip.ts'
import type { Captured } from '../../stores/sip/store.ts'
import { ladderOf } from '../captures/ladder.ts'
import { findCapture, searchForCall } from '../captures/queries.ts'
import { knownOf, opaqueIds } from './known.ts'
import { redacted } from './redact.ts'
import { carrierMatcher, onTrunk, type Trunk } from './trunk.ts'

/** The most messages shown of a call. */
const MAX_MESSAGES = 100

/** Name of the SBC, whose address may be an internal one. */
const SBC = 'SBC'

/** The SIP of a call between the SBC and the carrier, with names and numbers removed. Null if nothing was captured. */
export async function trunkLadder(
  ctx: Pick<Context, 'stores'>,
  call: Call,
  trunk: Trunk,
): Promise<SipLadder | null> {
  if (call.sip_callid === null) return null
  const { capture } = await findCapture(ctx, {
    owner: call.account_sid === null ? {} : { account_sid: call.account_sid },
    wanted: searchForCall(call, call.sip_callid),
  })
  const isCarriers = carrierMatcher(trunk, call)
  const between = onTrunk(capture.messages, isCarriers)
  const shown = between.slice(0, MAX_MESSAGES)
  const texts = shown.map((m) => textOf(m.bytes))
  const known = knownOf({ from: call.from, to: call.to, sids: sidsOf(call) }, texts)
  const opaque = opaqueIds(known, trunk.hosts)
  const messages = shown.flatMap((m, i): Captured[] => {
    const isCarrier = isCarriers(m.source)
    const text = redacted(texts[i]!, { hosts: trunk.hosts, opaque, isCarrier })
    if (text === undefined) return []
    const { source, destination } = m
    return [
      {
        ...m,
        source: isCarrier ? source : { ...source, address: SBC },
        destination: isCarrier ? { ...destination, address: SBC } : destination,
        call_id: known.removed(opaque(m.call_id)),
        parent: null,
        bytes: Buffer.from(known.removed(text)),
      },
    ]
  })
  const [first] = messages
  if (!first) return null
  const cut = capture.cut || between.length > shown.length
  // everything else is derived from the messages that may be shown
  const ladder = ladderOf({ messages, cut }, first.call_id)
  return { ...ladder, diagnosis: ladder.diagnosis.filter(diagnosisFilter(ladder, texts)) }
}

/** Shorter values are not sids and would match any text. */
const SID_LENGTH = 8
const sidsOf = (call: Call) =>
  [
    call.account_sid,
    call.service_provider_sid,
    call.application_sid,
    call.call_sid,
    call.trace_id,
  ].filter((sid): sid is string => sid !== null && sid.length >= SID_LENGTH)

/** Credentials are hidden, so a diagnosis must not conclude that they are missing. */
function diagnosisFilter({ messages }: SipLadder, texts: readonly string[]) {
  const hadCredentials = texts.some((text) => /^(?:proxy-)?authorization[ \t]*:/im.test(text))
  return ({ message }: SipLadder['diagnosis'][number]) => {
    const status = message === null ? null : messages[message]?.status
    return !(hadCredentials && (status === 401 || status === 407))
  }
}
