import { Readable } from 'node:stream'
import { type Bucket, membersOf, readServiceKey, type ServiceKey } from '@switchroom/contract'
import { importPKCS8, SignJWT } from 'jose'
import type { Answer, Outbound } from '../../outbound/outbound.ts'
import {
  GOOGLE,
  ignoreNotFound,
  PART,
  partsOf,
  problemOf,
  type Range,
  type Store,
  StoreRefused,
} from './store.ts'

type GoogleBucket = Extract<Bucket, { vendor: 'google' }>

const SCOPE = 'https://www.googleapis.com/auth/devstorage.read_write'

// Google's own library accepts no agent and follows redirects, so this uses the JSON API directly
export async function googleStore(
  outbound: Outbound,
  bucket: GoogleBucket,
  hosts: typeof GOOGLE,
): Promise<Store> {
  const how = { timeout_ms: 10_000, max_bytes: 64_000 }
  const assertion = await signed(readServiceKey(bucket.service_key)!)
  const { status, text } = await outbound.fetch(hosts.token, {
    ...how,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(
      new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion,
      }),
    ),
  })
  // invalid_grant, invalid_client: unknown account or wrong key
  if (status === 400 || status === 401) throw new StoreRefused('bad-credential', status)
  const { access_token } = membersOf(JSON.parse(refuse({ status, text })))
  const headers = { authorization: `Bearer ${access_token}` }
  const objects = `storage/v1/b/${encodeURIComponent(bucket.name)}/o`
  const urlOf = (key: string) => `${hosts.storage}/${objects}/${encodeURIComponent(key)}`
  return {
    write: async (key, body) =>
      refuse(
        await outbound.fetch(
          `${hosts.storage}/upload/${objects}?uploadType=media&name=${encodeURIComponent(key)}`,
          { ...how, method: 'POST', headers: { ...headers, 'content-type': 'text/plain' }, body },
        ),
      ),
    read: async (key) =>
      refuse(await outbound.fetch(`${urlOf(key)}?alt=media`, { ...how, method: 'GET', headers })),
    remove: async (key) =>
      refuse(await outbound.fetch(urlOf(key), { ...how, method: 'DELETE', headers })),
    async size(key) {
      const url = `${urlOf(key)}?fields=size`
      const answer = await outbound.fetch(url, { ...how, method: 'GET', headers })
      try {
        return Number(membersOf(JSON.parse(refuse(answer))).size)
      } catch (e) {
        return ignoreNotFound(e)
      }
    },
    open: async (key, range, signal) =>
      Readable.from(readParts(`${urlOf(key)}?alt=media`, range, signal)),
    async put(key, source, signal) {
      const begin = `${hosts.storage}/upload/${objects}?uploadType=resumable&name=${encodeURIComponent(key)}`
      const begun = await outbound.fetch(begin, {
        ...how,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ contentType: source.type, metadata: source.metadata }),
      })
      refuse(begun)
      const session = new URL(String(begun.headers.location), hosts.storage)
      if (session.origin !== new URL(hosts.storage).origin) throw new StoreRefused('redirect')
      for await (const { from, to, bytes, isLast } of partsOf(source)) {
        signal.throwIfAborted()
        const answer = await outbound.fetch(String(session), {
          ...how,
          timeout_ms: PART_MS,
          method: 'PUT',
          headers: { ...headers, 'content-range': `bytes ${from}-${to - 1}/${source.size}` },
          body: bytes,
        })
        // 308 means continue
        if (isLast || answer.status !== 308) refuse(answer)
      }
    },
  }

  // `outbound` does not return streams, so this requests one range after the other
  async function* readParts(url: string, { from, to }: Range, signal: AbortSignal) {
    for (let at = from; at <= to; at += PIECE) {
      signal.throwIfAborted()
      const range = `bytes=${at}-${Math.min(to, at + PIECE - 1)}`
      const answer = await outbound.fetch(url, {
        method: 'GET',
        headers: { ...headers, range },
        timeout_ms: PART_MS,
        max_bytes: PIECE,
      })
      refuse(answer)
      yield answer.bytes
    }
  }
}

const PIECE = PART / 8
const PART_MS = 60_000

async function signed({ client_email, private_key }: ServiceKey) {
  const key = await importPKCS8(private_key, 'RS256').catch(() => {
    throw new StoreRefused('not-a-key')
  })
  return new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(client_email)
    .setAudience(GOOGLE.token)
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(key)
}

function refuse({ status, text }: Pick<Answer, 'status' | 'text'>): string {
  if (status >= 200 && status < 300) return text
  throw new StoreRefused(problemOf(status), status)
}
