import type { Capabilities } from '@switchroom/contract'
import manifest from '../../../../package.json' with { type: 'json' }
import type { Context } from './context.ts'
import { relyingParty } from './relying-party.ts'

export const VERSION = manifest.version

export async function capabilities(
  ctx: Pick<Context, 'mail' | 'config' | 'db' | 'box' | 'log'>,
): Promise<Capabilities> {
  const { mail, config, log } = ctx
  const { activeSettings } = await import('./single-sign-on.ts')
  const single_sign_on = await activeSettings(ctx).catch((err) => {
    // the console starts without its button rather than not at all
    log.warn({ err }, 'the single sign-on settings cannot be read')
    return undefined
  })
  return {
    product: 'switchroom',
    mail: mail !== undefined,
    // with ClickHouse, another process may listen
    captures: config.captures.kind !== 'embedded' || config.captures.listen !== undefined,
    idempotency: true,
    passkey_host: relyingParty(config)?.id ?? null,
    ...(single_sign_on && { single_sign_on: single_sign_on.name }),
  }
}
