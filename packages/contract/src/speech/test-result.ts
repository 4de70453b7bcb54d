import { z } from 'zod'

export const UseResult = z.object({
  status: z.enum(['ok', 'fail', 'not tested']),
  reason: z.string().optional(),
})
export type UseResult = z.infer<typeof UseResult>
export const TestResult = z.object({ tts: UseResult, stt: UseResult })
export type TestResult = z.infer<typeof TestResult>

/** How a credential's last test ended, for lists and forms. Ours. */
export const RememberedResult = TestResult.extend({
  /** ISO 8601, UTC. */
  at: z.string(),
  /** Whether it really spoke and listened. */
  real: z.boolean(),
})
export type RememberedResult = z.infer<typeof RememberedResult>
