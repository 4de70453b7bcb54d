import { randomBytes } from 'node:crypto'
import {
  type Assertion,
  type CreationOptions,
  membersOf,
  type NewCredential,
  PASSKEY_REFUSED,
  type RequestOptions,
  t,
} from '@switchroom/contract'
import { z } from 'zod'
import type { Db, Tables } from '../../db/open.ts'
import type { Context } from '../../http/context.ts'
import { Failure, invalidField } from '../../http/failure.ts'
import { relyingParty } from '../../http/relying-party.ts'
import * as factors from '../second-factor/queries.ts'
import * as passkeys from './queries.ts'

/** Time limit for the browser, in seconds. */
const SECONDS = 180

/** Purpose of a challenge, which is valid for nothing and nobody else. */
const Challenge = z.discriminatedUnion('purpose', [
  z.object({ purpose: z.literal('add'), user_sid: z.string(), begun_at: z.number() }),
  z.object({ purpose: z.literal('proof'), user_sid: z.string() }),
  z.object({ purpose: z.literal('second step'), user_sid: z.string(), ticket: z.string() }),
  z.object({ purpose: z.literal('log in') }),
])
type Challenge = z.infer<typeof Challenge>

const key = (ctx: Context, challenge: string) =>
  `switchroom:passkey-challenge:${ctx.box.digest(challenge)}`

export const refused = (cause?: unknown) =>
  Object.assign(invalidField('passkey', PASSKEY_REFUSED), { cause })

function partyOf({ config }: Context) {
  const party = relyingParty(config)
  if (!party)
    throw new Failure(
      'unavailable',
      t('Passkeys need a console with a host name. Ask an administrator to set JAMBONZ_BASE_URL.'),
    )
  return party
}

async function newChallenge(ctx: Context, kept: Challenge) {
  const challenge = randomBytes(32).toString('base64url')
  await ctx.live.set(key(ctx, challenge), JSON.stringify(kept), SECONDS)
  return challenge
}

/** Takes the challenge that a browser has signed, once. */
async function takeChallenge(ctx: Context, clientDataJSON: string) {
  const challenge = challengeIn(clientDataJSON)
  if (challenge === undefined) throw refused()
  const [text] = await ctx.live.get(key(ctx, challenge))
  if (text === undefined) throw refused()
  // of two parallel requests with one challenge, only the first continues
  if ((await ctx.live.increment(`${key(ctx, challenge)}:used`, SECONDS)) > 1) throw refused()
  await ctx.live.remove(key(ctx, challenge))
  return { challenge, kept: Challenge.parse(JSON.parse(text)) }
}

function challengeIn(clientDataJSON: string) {
  try {
    const { challenge } = membersOf(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()))
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

type Row = Tables['switchroom_passkeys']

const transportsOf = ({ transports }: Row) => transports.split(',').filter((one) => one !== '')

const descriptor = (passkey: Row) => ({
  type: 'public-key' as const,
  id: passkey.credential_id,
  transports: transportsOf(passkey),
})

/** Opaque, as WebAuthn requires: it is in the passkey, and anybody who has that can read it. */
const userHandle = (user_sid: string) =>
  Buffer.from(user_sid.replaceAll('-', ''), 'hex').toString('base64url')

export async function creationOptions(
  ctx: Context,
  user: { user_sid: string; name: string },
): Promise<CreationOptions> {
  const { id } = partyOf(ctx)
  const { user_sid, name } = user
  return {
    challenge: await newChallenge(ctx, { purpose: 'add', user_sid, begun_at: Date.now() }),
    rp: { id, name: 'Switchroom' },
    user: { id: userHandle(user_sid), name, displayName: name },
    // EdDSA, ES256, RS256
    pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
    timeout: SECONDS * 1000,
    attestation: 'none',
    excludeCredentials: (await factors.passkeysOf(ctx.db, user_sid)).map(descriptor),
    // a security key without PIN can still be a second factor
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  }
}

/** The verifier, loaded on first use. */
const verifier = () => import('@simplewebauthn/server')

/** Verifies a new credential for this user. Throws 400 for any other. */
export async function verifyNew(
  ctx: Context,
  user_sid: string,
  credential: z.infer<typeof NewCredential>,
) {
  const { id, origin } = partyOf(ctx)
  const { challenge, kept } = await takeChallenge(ctx, credential.response.clientDataJSON)
  if (kept.purpose !== 'add' || kept.user_sid !== user_sid) throw refused()
  const { verifyRegistrationResponse } = await verifier()
  const { transports = [], ...response } = credential.response
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...credential, response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: false,
  }).catch((cause) => {
    throw refused(cause)
  })
  if (!registrationInfo) throw refused()
  const { id: credential_id, publicKey, counter } = registrationInfo.credential
  return {
    begun_at: kept.begun_at,
    credential_id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: transports.join(',').slice(0, 255),
  }
}

/** Options for a passkey of this user, or for log-in of any. */
async function requestOptions(
  ctx: Context,
  kept: Challenge,
  allowed: Row[],
): Promise<RequestOptions> {
  const { id } = partyOf(ctx)
  return {
    challenge: await newChallenge(ctx, kept),
    rpId: id,
    timeout: SECONDS * 1000,
    allowCredentials: allowed.map(descriptor),
    // without a password, the passkey has to know its user: by a PIN, a finger, a face
    userVerification: kept.purpose === 'log in' ? 'required' : 'preferred',
  }
}

export const proofOptions = async (ctx: Context, user_sid: string) =>
  requestOptions(ctx, { purpose: 'proof', user_sid }, await factors.passkeysOf(ctx.db, user_sid))

export const secondStepOptions = async (ctx: Context, user_sid: string, ticket: string) =>
  requestOptions(
    ctx,
    { purpose: 'second step', user_sid, ticket: ctx.box.digest(ticket) },
    await factors.passkeysOf(ctx.db, user_sid),
  )

export const logInOptions = (ctx: Context) => requestOptions(ctx, { purpose: 'log in' }, [])

/**
 * Required purpose of an assertion. A passkey proves a user who is already known, except at log-in with a passkey
 * alone, where it names the user.
 */
export type Expected =
  | { purpose: 'proof'; user_sid: string }
  | { purpose: 'second step'; user_sid: string; ticket: string }
  | { purpose: 'log in' }

function isFor(ctx: Context, kept: Challenge, expected: Expected) {
  if (kept.purpose === 'proof' && expected.purpose === 'proof')
    return kept.user_sid === expected.user_sid
  if (kept.purpose === 'second step' && expected.purpose === 'second step')
    return kept.user_sid === expected.user_sid && kept.ticket === ctx.box.digest(expected.ticket)
  return kept.purpose === 'log in' && expected.purpose === 'log in'
}

/** Verifies a signed challenge and resolves to its user. Throws 400 for everything else. */
export async function verifyAssertion(
  ctx: Context,
  db: Db,
  assertion: Assertion,
  expected: Expected,
): Promise<string> {
  const { id, origin } = partyOf(ctx)
  const { challenge, kept } = await takeChallenge(ctx, assertion.response.clientDataJSON)
  if (!isFor(ctx, kept, expected)) throw refused()
  const own = expected.purpose === 'log in' ? undefined : expected.user_sid
  const passkey = await passkeys.withCredential(db, assertion.id, own)
  if (!passkey) throw refused()
  const { userHandle: handle, ...response } = assertion.response
  if (handle !== undefined && handle !== userHandle(passkey.user_sid)) throw refused()
  const { verifyAuthenticationResponse } = await verifier()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...assertion, response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: Number(passkey.counter),
      transports: transportsOf(passkey),
    },
    requireUserVerification: expected.purpose === 'log in',
  }).catch((cause) => {
    throw refused(cause)
  })
  if (!verified) throw refused()
  await passkeys.markUsed(db, passkey.passkey_sid, authenticationInfo.newCounter)
  return passkey.user_sid
}
