import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

const NEAR = ['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']
/** A proxy may have brought it from elsewhere, and a browser whatever page it shows. */
const ELSEWHERE = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'origin', 'sec-fetch-site']

/** From a network of the operator's, and through nobody who may have brought it from elsewhere. */
export function isNear({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>) {
  if (ELSEWHERE.some((name) => headers[name])) return false
  const address = socket.remoteAddress ?? ''
  return ipaddr.isValid(address) && NEAR.includes(ipaddr.process(address).range())
}
