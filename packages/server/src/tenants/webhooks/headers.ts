import { SIGNATURE_HEADER, signatureOf } from './signature.ts'

type Credentials = { username: string | null; password: string | null }

/** Basic credentials, encoded. Undefined unless both are set, as on the platform. */
export const basicOf = ({ username, password }: Credentials) =>
  username && password ? Buffer.from(`${username}:${password}`).toString('base64') : undefined

type Signed = {
  is_get: boolean
  basic: string | undefined
  secret: string | null | undefined
  seconds: number
  /** The signed body, also if the request is a GET, which does not send it. */
  body: string
}

/** The headers of a request to an application, signed as the platform does it. */
export const webhookHeaders = ({ is_get, basic, secret, seconds, body }: Signed) => ({
  ...(!is_get && { 'content-type': 'application/json' }),
  ...(basic && { authorization: `Basic ${basic}` }),
  ...(secret && { [SIGNATURE_HEADER]: signatureOf(secret, seconds, body) }),
})
