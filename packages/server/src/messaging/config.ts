import { z } from 'zod'

/** Of one SMS carrier: the npm package or file that knows its format, and what that needs to send. */
const Provider = z.object({
  module: z.string().min(1).optional(),
  options: z.looseObject({ url: z.string().optional() }).optional(),
})

export type Messaging = {
  /** By the name in their path, in the order of the configuration. */
  providers: Map<string, z.output<typeof Provider>>
  /** Why there are none although some were meant. */
  problem: string | undefined
}

/** What is wrong is logged, as the platform does, and messaging is off. No value is repeated: it may be a password. */
export function readMessaging(text: string | undefined): Messaging {
  const off = (problem?: string) => ({ providers: new Map(), problem })
  if (text === undefined) return off()
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return off('this is not JSON; text messages are off')
  }
  const parsed = z.record(z.string(), Provider).safeParse(json)
  if (!parsed.success)
    return off(
      `${parsed.error.issues[0]!.path.join('.') || 'it'} is not what is expected; text messages are off`,
    )
  return { providers: new Map(Object.entries(parsed.data)), problem: undefined }
}
