import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export type Owner = { pid: number; command: string }

const LISTENS = '0A'

/**
 * The process that listens on a port, as far as Linux tells this user: of other users' processes, and on other
 * systems, undefined.
 */
export function ownerOf(port: number, protocol: 'tcp' | 'udp' = 'tcp'): Owner | undefined {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const sockets = new Set(
    [protocol, `${protocol}6`].flatMap((table) =>
      linesOf(`/proc/net/${table}`).flatMap((line) => {
        const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
        const isIt = local?.endsWith(`:${hex}`) && (protocol === 'udp' || state === LISTENS)
        return isIt ? [`socket:[${inode}]`] : []
      }),
    ),
  )
  if (sockets.size === 0) return undefined
  for (const pid of namesIn('/proc').filter((name) => /^\d+$/.test(name)))
    for (const fd of namesIn(`/proc/${pid}/fd`))
      if (sockets.has(linkOf(`/proc/${pid}/fd/${fd}`)))
        return { pid: Number(pid), command: linesOf(`/proc/${pid}/comm`)[0] ?? '' }
  return undefined
}

// processes end while they are looked at, and others may not be looked at

function orElse<T>(read: () => T, otherwise: T) {
  try {
    return read()
  } catch {
    return otherwise
  }
}
const linesOf = (file: string) => orElse(() => readFileSync(file, 'utf8').split('\n'), [])
const namesIn = (folder: string) => orElse(() => readdirSync(folder), [])
const linkOf = (path: string) => orElse(() => readlinkSync(path), '')
