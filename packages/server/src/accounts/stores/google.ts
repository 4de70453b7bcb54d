import { type Bucket, readServiceKey, type ServiceKey } from '@switchroom/contract'
import { importPKCS8, SignJWT } from 'jose'
import type { Answer, Outbound } from '../../outbound/outbound.ts'
import { problemOf, type Store, StoreRefused } from './store.ts'

type GoogleBucket = Extract<Bucket, { vendor: 'google' }>

/** Always these, whatever a service key names. */
export const GOOGLE = {
  token: 'https://oauth2.googleapis.com/token',
  storage: 'https://storage.googleapis.com',
}
const SCOPE = 'https://www.googleapis.com/auth/devstorage.read_write'

// Google's own library takes no agent and follows redirects, so this speaks the JSON API itself
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
  // invalid_grant, invalid_client: no such account, or not its key
  if (status === 400 || status === 401) throw new StoreRefused('bad-credential', status)
  const { access_token } = JSON.parse(refuse({ status, text })) as { access_token: string }
  const headers = { authorization: `Bearer ${access_token}` }
  const objects = `storage/v1/b/${encodeURIComponent(bucket.name)}/o`
  const at = (key: string) => `${hosts.storage}/${objects}/${encodeURIComponent(key)}`
  return {
    write: async (key, body) =>
      refuse(
        await outbound.fetch(
          `${hosts.storage}/upload/${objects}?uploadType=media&name=${encodeURIComponent(key)}`,
          { ...how, method: 'POST', headers: { ...headers, 'content-type': 'text/plain' }, body },
        ),
      ),
    read: async (key) =>
      refuse(await outbound.fetch(`${at(key)}?alt=media`, { ...how, method: 'GET', headers })),
    remove: async (key) =>
      refuse(await outbound.fetch(at(key), { ...how, method: 'DELETE', headers })),
  }
}

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
