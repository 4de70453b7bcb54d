import { SINGLE_SIGN_ON_CALLBACK } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'

type Source = Pick<Context, 'config'>

/** Where the identity provider sends the browser after a log-in. */
export const redirectUri = ({ config }: Source) => `${config.base_url}${SINGLE_SIGN_ON_CALLBACK}`

/** Where it sends the browser after a log-out. */
export const logOutUri = ({ config }: Source) => `${config.base_url}/`

/** Where it sends logout tokens. */
export const backchannelUri = ({ config }: Source) => `${config.base_url}/v1/sso/backchannel-logout`
