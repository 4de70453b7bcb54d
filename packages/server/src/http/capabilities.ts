import type { Capabilities } from '@switchroom/contract'
import manifest from '../../../../package.json' with { type: 'json' }
import type { Context } from './context.ts'

export const VERSION = manifest.version

export const capabilities = ({
  mail,
  config: { captures },
}: Pick<Context, 'mail' | 'config'>): Capabilities => ({
  product: 'switchroom',
  version: VERSION,
  mail: mail !== undefined,
  captures: captures.kind === 'homer' || captures.listen !== undefined,
})
