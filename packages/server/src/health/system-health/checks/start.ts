import type { Context } from '../../../http/context.ts'
import { watchCertificates } from './certificates.ts'
import { watchData } from './data.ts'
import { watchProcess } from './process.ts'
import { watchRecords } from './records.ts'

/** Adds the checks of everything that no other wing checks itself. */
export function watchParts(ctx: Context) {
  watchData(ctx)
  watchProcess(ctx)
  watchRecords(ctx)
  watchCertificates(ctx)
}
