import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { CreationOptions, RequestOptions } from '@switchroom/contract'

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

type How = {
  origin?: string
  /** True if it has verified its user, by a PIN or a finger. */
  verifies?: boolean
  /** The passkeys' host, if not the requested one. */
  rpId?: string
}

/** A browser and security key in one: an ES256 passkey with a counter, without attestation. */
export function authenticator(origin = 'http://console.test') {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  let counter = 0
  let handle: string | undefined

  const clientData = (type: string, challenge: string, how: How) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: how.origin ?? origin }))

  function authenticatorData(rpId: string, { verifies = true }: How, attested?: Uint8Array) {
    counter += 1
    const flags = 1 | (verifies ? 4 : 0) | (attested ? 64 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested ?? Buffer.alloc(0)])
  }

  const credential = {
    id: base64url(id),
    rawId: base64url(id),
    type: 'public-key' as const,
  }

  return {
    create(options: CreationOptions, how: How = {}) {
      handle = options.user.id
      const cose = new Map<number, number | Uint8Array<ArrayBuffer>>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x!, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y!, 'base64url'))],
      ])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(cose)])
      const authData = authenticatorData(how.rpId ?? options.rp.id, how, attested)
      const attestation = new Map<string, string | Map<string, string> | Uint8Array<ArrayBuffer>>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ])
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', options.challenge, how)),
          attestationObject: base64url(isoCBOR.encode(attestation)),
          transports: ['usb'],
        },
      }
    },
    get(options: RequestOptions, how: How = {}) {
      const data = authenticatorData(how.rpId ?? options.rpId, how)
      const client = clientData('webauthn.get', options.challenge, how)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        ...credential,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
          ...(handle && { userHandle: handle }),
        },
      }
    },
  }
}
