import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode } from '../src/errors/members.ts'

/** A small file system of its own that can be filled. Undefined where mounting is not allowed. */
export function smallDisk(bytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'switchroom-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], {
      stdio: 'ignore',
    })
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    /** Leaves no space, or this many bytes. */
    fill(left = 0) {
      const { bavail, bsize } = statfsSync(folder)
      try {
        writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - left)))
      } catch (e) {
        // others write to the disk as well: it is full
        if (errorCode(e) !== 'ENOSPC') throw e
      }
    },
    free: () => rmSync(filler, { force: true }),
    close() {
      execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** True if this machine allows mounts. */
export const canMount = (() => {
  const disk = smallDisk(65_536)
  disk?.close()
  return disk !== undefined
})()
