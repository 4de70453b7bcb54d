import { readFileSync } from 'node:fs'
import type { Capabilities } from '@switchroom/contract'
import type { Context } from './context.ts'

const manifest = new URL('../../../../package.json', import.meta.url)
export const VERSION = (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version

export const capabilities = ({
  mail,
  config: { captures },
}: Pick<Context, 'mail' | 'config'>): Capabilities => ({
  product: 'switchroom',
  version: VERSION,
  mail: mail !== undefined,
  captures: captures.kind === 'homer' || captures.listen !== undefined,
})
