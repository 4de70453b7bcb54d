import { costOf, type Endpoint, membersOf } from '@switchroom/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { turnToRead } from '../db/turn-to-read.ts'
import type { Context } from './context.ts'
import type { Lane } from './fair-queue.ts'
import { addressOf, networkOf } from './network.ts'
import type { Scope } from './scope.ts'
import { ADMINISTRATORS } from './turns.ts'

const tenantOf = (scope: Scope) =>
  scope.role === 'account'
    ? scope.account_sid
    : scope.role === 'service_provider'
      ? scope.service_provider_sid
      : ADMINISTRATORS

/** The most whole lists that are known to be short. */
const MAX_SHORT = 1_000

/** The same list of the same tenant. */
const listOf = ({ scope, url }: FastifyRequest) => `${scope ? tenantOf(scope) : ''} ${url}`

/** Remembers whether a whole list was as short as a page, and costs no more. */
export function noteLength(
  { shortLists }: Pick<Context['memory'], 'shortLists'>,
  request: FastifyRequest,
  isShort: boolean,
) {
  if (shortLists.size >= MAX_SHORT) shortLists.clear()
  if (isShort) shortLists.add(listOf(request))
  else shortLists.delete(listOf(request))
}

/**
 * Answers a request in its tenant's turn, if it costs. The turn lasts until `answer` has ended, with all that it sends.
 * Clients that leave before lose it.
 */
export function inTurn<T>(
  { memory: { turns, shortLists }, config }: Pick<Context, 'memory' | 'config'>,
  e: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: () => Promise<T>,
): Promise<T> {
  const cost = costOf(e, membersOf(request.query))
  if (!cost || (cost === 'lists' && shortLists.has(listOf(request)))) return answer()
  const { scope } = request
  const lane: Lane = scope
    ? { signedIn: tenantOf(scope) }
    : { network: networkOf(addressOf(request, config)) }
  const left = new AbortController()
  reply.raw.once('close', () => left.abort())
  const work = async () => {
    // on SQLite, others' requests would wait for all turns
    await turnToRead()
    return answer()
  }
  return turns[cost](lane, work, left.signal)
}
