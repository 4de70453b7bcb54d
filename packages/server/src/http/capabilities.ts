import type { Capabilities } from '@switchroom/contract'
import manifest from '../../../../package.json' with { type: 'json' }
import type { Context } from './context.ts'
import { relyingParty } from './relying-party.ts'

export const VERSION = manifest.version

export const capabilities = ({ mail, config }: Pick<Context, 'mail' | 'config'>): Capabilities => ({
  product: 'switchroom',
  version: VERSION,
  mail: mail !== undefined,
  captures: config.captures.kind === 'homer' || config.captures.listen !== undefined,
  passkey_host: relyingParty(config)?.id ?? null,
})
