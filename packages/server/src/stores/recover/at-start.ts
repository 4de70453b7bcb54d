import { damagedFiles } from '../kit/damage.ts'
import type { Kind } from '../kit/formats.ts'

/** Loads what brings files back only if some are set aside. Resolves at the end. */
export async function restoreOnce(kind: Kind, folder: string, isStopped: () => boolean) {
  if (damagedFiles([folder]).length === 0) return
  const { restoreUndamaged } = await import('./restore.ts')
  await restoreUndamaged(kind, folder, isStopped)
}
