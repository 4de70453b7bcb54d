import { SINGLE_SIGN_ON_CALLBACK } from '@switchroom/contract'
import type { Context } from '../../http/context.ts'

type Source = Pick<Context, 'config'>

/** URL to which the identity provider sends the browser after a log-in. */
export const redirectUri = ({ config }: Source) => `${config.base_url}${SINGLE_SIGN_ON_CALLBACK}`

/** URL to which it sends the browser after a log-out. */
export const logOutUri = ({ config }: Source) => `${config.base_url}/`

/** URL to which it posts logout tokens. */
export const backchannelUri = ({ config }: Source) => `${config.base_url}/v1/sso/backchannel-logout`
