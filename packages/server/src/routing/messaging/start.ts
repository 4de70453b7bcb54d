import type { Context } from '../../http/context.ts'
import { isInstalled } from '../../sms-modules/modules.ts'

/** Logs problems in the SMS configuration. */
export function checkMessaging({ config, log }: Pick<Context, 'config' | 'log'>) {
  const { problem, providers } = config.messaging
  if (problem) log.error(`JAMBONES_MESSAGING: ${problem}`)
  for (const [provider, { module }] of providers) {
    if (!module) log.error(`JAMBONES_MESSAGING: ${provider} names no module`)
    else if (!isInstalled(module))
      log.error(`JAMBONES_MESSAGING: ${provider} needs ${module}, which is not installed`)
  }
}
