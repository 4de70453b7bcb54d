import { PLATFORM_VERSION } from '@switchroom/contract'
import type { Context } from '../http/context.ts'

/** The platform whose rules applications follow: as it is set, or as its traces say, or the one that is known best. */
export async function platformVersion({
  config,
  stores,
}: Pick<Context, 'config' | 'stores'>): Promise<string> {
  if (config.platform_version) return config.platform_version
  const seen = await stores.ingestedTraces().catch(() => undefined)
  return seen?.platform ?? PLATFORM_VERSION
}
