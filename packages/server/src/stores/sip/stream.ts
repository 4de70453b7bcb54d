import { HEP, HEP_HEAD } from './hep.ts'

/**
 * Reassembles frames from a stream. Never buffers more than one
 * frame of 65,535 bytes besides the last chunk. `hear` throws if there is no frame.
 */
export function frames() {
  let rest: Buffer = Buffer.alloc(0)
  return {
    /** Whether a frame is incomplete. */
    isWithin: () => rest.length > 0,
    *push(chunk: Buffer): Generator<Buffer> {
      let all = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      rest = Buffer.alloc(0)
      while (all.length > 0) {
        const begun = Math.min(all.length, HEP.length)
        if (!all.subarray(0, begun).equals(HEP.subarray(0, begun))) throw new Error('not HEPv3')
        if (all.length < HEP_HEAD) break
        const length = all.readUInt16BE(4)
        if (length < HEP_HEAD) throw new Error('not HEPv3')
        if (all.length < length) break
        yield all.subarray(0, length)
        all = all.subarray(length)
      }
      rest = Buffer.from(all)
    },
  }
}
