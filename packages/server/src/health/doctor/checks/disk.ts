import { statfs } from 'node:fs/promises'
import { t } from '@switchroom/contract'
import { diskFinding, freeSpace } from '../../system-health/checks/data.ts'
import type { Check } from '../check.ts'
import { type Finding, notChecked, ok, problem, warning } from '../finding.ts'

const FEW_INODES = { share: 0.02, count: 1_000 }

/** Free space and free inodes for the data folder. */
export const disk: Check = {
  name: 'disk',
  needs: /^SWITCHROOM_DATA$/,
  async run({ config }) {
    const stats = await statfs(config.data).catch(() => undefined)
    if (!stats) return notChecked(t('There is no data folder yet.'))
    const { bavail, blocks, bsize, files, ffree } = stats
    return [spaceFinding(bavail * bsize, blocks * bsize), ...(inodesFinding(ffree, files) ?? [])]
  },
}

function spaceFinding(free: number, size: number): Finding {
  const { state } = diskFinding(free, size)
  const amount = freeSpace(free, size)
  if (state === 'ok') return ok(t('{amount} free for the data folder.', { amount }))
  const finding = state === 'failing' ? problem : warning
  return finding(
    t('Only {amount} free for the data folder.', { amount }),
    t(
      'Free space there, or move SWITCHROOM_DATA to a larger disk. To keep less call data, lower SWITCHROOM_TELEMETRY_DAYS, SWITCHROOM_RECORDINGS_DAYS and the limits that end in MAX_GB.',
    ),
  )
}

/** Some file systems, such as btrfs, have no fixed number of them. */
export function inodesFinding(free: number, all: number): Finding[] | undefined {
  if (all === 0 || free > Math.min(all * FEW_INODES.share, FEW_INODES.count)) return undefined
  return [
    problem(
      t('The disk of the data folder has room for only {free} more files (inodes).', { free }),
      t('Delete files there: many small ones use them up, whatever space is free.'),
    ),
  ]
}
