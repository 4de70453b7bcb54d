import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { type CreationOptions, type RequestOptions, t } from '@switchroom/contract'
import { send } from '../api'
import { passkeys, secondFactor } from '../endpoints'
import { messageOf } from '../failure'

/** True if the browser supports passkeys, and the console's address is the one they are bound to. */
export const passkeysWork = (host: string | null | undefined) =>
  location.hostname === host && browserSupportsWebAuthn()

export const createPasskey = (optionsJSON: CreationOptions) => startRegistration({ optionsJSON })

const sign = (optionsJSON: RequestOptions) => startAuthentication({ optionsJSON })

export const provePasskey = async () => sign(await send(passkeys.beginProof, {}))

export async function logInWithPasskey() {
  const passkey = await sign(await send(passkeys.beginLogIn, {}))
  return send(passkeys.logIn, { body: { passkey } })
}

export async function secondStepWithPasskey(ticket: string) {
  const passkey = await sign(await send(passkeys.beginSecondStep, { body: { ticket } }))
  return send(secondFactor.logIn, { body: { ticket, passkey } })
}

/** Why a passkey did not work: the browser's reason, or the server's. */
export function passkeyProblem(error: unknown) {
  if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return t('This passkey has already been added.')
  // browsers do not tell whether the user canceled, waited too long, or has no such passkey
  if (error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name))
    return t('No passkey was used. Try again, or choose another way.')
  return messageOf(error)
}
