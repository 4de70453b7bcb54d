import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import { inNetworks } from '../outbound/guard.ts'
import { Failure } from './failure.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * Throws 401 unless the metrics are open to everyone, or the request has their token or comes from one of
 * their networks.
 */
export function refuseStrangers(
  { token, networks }: Config['metrics'],
  { headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>,
) {
  if (!token && networks.length === 0) return
  const [, sent] = /^bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (token && sent && timingSafeEqual(digest(sent), digest(token))) return
  if (inNetworks(ip, networks)) return
  throw new Failure('unauthenticated', 'Unauthorized')
}
