import { PLATFORM_VERSION } from '@switchroom/contract'
import type { Context } from '../http/context.ts'

/**
 * Version of the platform whose rules apply to applications: as configured, or as traces say, or else the version we
 * know best.
 */
export async function platformVersion({
  config,
  stores,
}: Pick<Context, 'config' | 'stores'>): Promise<string> {
  if (config.platform_version) return config.platform_version
  const seen = await stores.ingestedTraces().catch(() => undefined)
  return seen?.platform ?? PLATFORM_VERSION
}
