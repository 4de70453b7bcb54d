import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

const NEAR = ['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']
/** Headers that a proxy or a browser adds: the request may come from somewhere else. */
const ELSEWHERE = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'origin', 'sec-fetch-site']

/** True if a request comes directly from a private network: no proxy and no browser page in between. */
export function isFromPrivateNetwork({
  headers,
  socket,
}: Pick<IncomingMessage, 'headers' | 'socket'>) {
  if (ELSEWHERE.some((name) => headers[name])) return false
  const address = socket.remoteAddress ?? ''
  return ipaddr.isValid(address) && NEAR.includes(ipaddr.process(address).range())
}
