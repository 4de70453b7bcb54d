import { z } from 'zod'

/** An SMS carrier: the npm package or file that converts its format, and that module's settings. */
const Provider = z.object({
  module: z.string().min(1).optional(),
  options: z.looseObject({ url: z.string().optional() }).optional(),
})

export type Messaging = {
  /** Providers by the name in the URL path, in configuration order. */
  providers: Map<string, z.output<typeof Provider>>
  /** Why there are no providers although some are configured. */
  problem: string | undefined
}

/**
 * Parses the providers. On errors SMS is off and the problem is logged, as on the platform. Quotes no
 * values, which may be passwords.
 */
export function readMessaging(text: string | undefined): Messaging {
  const off = (problem?: string) => ({ providers: new Map(), problem })
  if (text === undefined) return off()
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return off('not valid JSON; text messages are off')
  }
  const parsed = z.record(z.string(), Provider).safeParse(json)
  if (!parsed.success)
    return off(
      `${parsed.error.issues[0]!.path.join('.') || 'value'} is not valid; text messages are off`,
    )
  return { providers: new Map(Object.entries(parsed.data)), problem: undefined }
}
