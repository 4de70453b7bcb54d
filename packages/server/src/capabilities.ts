import { readFileSync } from 'node:fs'
import type { Capabilities } from '@switchroom/contract'
import type { Context } from './context.ts'

const manifest = new URL('../../../package.json', import.meta.url)
export const VERSION = (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version

export const capabilities = (ctx: Pick<Context, 'mail'>): Capabilities => ({
  product: 'switchroom',
  version: VERSION,
  mail: ctx.mail !== undefined,
})
