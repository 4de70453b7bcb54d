import type { Context } from '../context.ts'
import { isInstalled } from './modules.ts'

/** Says in the log what of the configuration of text messages cannot work. */
export function checkMessaging({ config, log }: Pick<Context, 'config' | 'log'>) {
  const { problem, providers } = config.messaging
  if (problem) log.error(`JAMBONES_MESSAGING: ${problem}`)
  for (const [provider, { module }] of providers) {
    if (!module) log.error(`JAMBONES_MESSAGING: ${provider} names no module`)
    else if (!isInstalled(module))
      log.error(`JAMBONES_MESSAGING: ${provider} needs ${module}, which is not installed`)
  }
}
