import { APP_ENV_PROBLEMS, type AppEnvResult, AppEnvSchema } from '@switchroom/contract'
import type { Outbound } from './outbound.ts'

/** Settings of the request to an application, except its URL. */
export const APP_ENV_REQUEST = {
  method: 'OPTIONS',
  headers: { accept: 'application/json' },
  timeout_ms: 3_000,
  max_bytes: 256 * 1024,
} as const

/** Status codes of servers that do not support OPTIONS. */
const UNASKED = [404, 405, 501]

/** Asks an application for its environment variables, as the platform does. */
export async function askAppEnv(
  outbound: Pick<Outbound, 'fetch'>,
  url: string,
): Promise<AppEnvResult> {
  const problem = (code: keyof typeof APP_ENV_PROBLEMS): AppEnvResult => ({
    problem: { code, text: APP_ENV_PROBLEMS[code] },
  })
  try {
    const { status, text } = await outbound.fetch(url.replace(/^ws/i, 'http'), APP_ENV_REQUEST)
    if (status >= 300 && status < 400) return problem('redirect')
    if (UNASKED.includes(status)) return problem('none')
    if (status < 200 || status >= 300) return problem('refused')
    if (text.trim() === '') return problem('none')
    const answer = json(text)
    if (answer === undefined) return problem('not_json')
    if (!answer) return problem('none')
    const { data: schema } = AppEnvSchema.safeParse(answer)
    return schema ? { schema } : problem('invalid')
  } catch (error) {
    return problem(reasonOf(error))
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const REASONS: Record<string, keyof typeof APP_ENV_PROBLEMS> = {
  Blocked: 'internal',
  TooLarge: 'too_large',
  TimeoutError: 'too_late',
}

function reasonOf(error: unknown): keyof typeof APP_ENV_PROBLEMS {
  for (let e = error; e instanceof Error; e = e.cause) if (REASONS[e.name]) return REASONS[e.name]!
  return 'unreachable'
}
