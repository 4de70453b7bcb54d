import { z } from 'zod'
import { endpoints } from '../wire/endpoint.ts'
import { StringOrNull } from '../wire/fields.ts'
import { keysOf } from '../wire/records.ts'
import { DOCTOR_CHECKS, DOCTOR_OUTCOMES } from './doctor-checks.ts'

export const DoctorResult = z.object({
  check: z.enum(keysOf(DOCTOR_CHECKS)),
  outcome: z.enum(DOCTOR_OUTCOMES),
  /** The problem, or the result if there is none. */
  sentence: z.string(),
  /** How to fix it. */
  fix: StringOrNull,
})
export type DoctorResult = z.infer<typeof DoctorResult>

export const DoctorReport = z.object({
  version: z.string(),
  /** The host that ran the checks. */
  host: z.string(),
  ran_at: z.iso.datetime(),
  seconds: z.number(),
  /** One or more per check, in the order of `DOCTOR_CHECKS`. What is not in use has none. */
  results: z.array(DoctorResult),
})
export type DoctorReport = z.infer<typeof DoctorReport>

export const doctor = endpoints({
  run: {
    path: '/Doctor',
    access: 'admin',
    method: 'POST',
    summary: 'Check this server’s set-up; returns problems and how to fix them',
    own: true,
    allowViewOnly: true,
    response: DoctorReport,
  },
})
