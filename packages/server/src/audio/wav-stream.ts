/** Longest header before the samples. */
const HEADER_MAX = 65_536
/** Recorders that do not know the length write one of these. */
const UNKNOWN = [0, 0xffffffff]

type Form = { format: number; channels: number; rate: number; bits: number }

/** A WAV that comes in pieces. */
export function wavStream() {
  let head: Buffer | undefined = Buffer.alloc(0)
  let form: Form | undefined
  let left = Infinity
  let isBroken = false

  /** Reads the header once it is whole. Resolves to the samples behind it. */
  function begin(bytes: Buffer): Buffer | undefined {
    if (bytes.length < 12) return undefined
    if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') {
      isBroken = true
      return undefined
    }
    for (let at = 12; at + 8 <= bytes.length; ) {
      const id = bytes.toString('latin1', at, at + 4)
      const length = bytes.readUInt32LE(at + 4)
      if (id === 'data') {
        if (!form) isBroken = true
        if (!UNKNOWN.includes(length)) left = length
        return bytes.subarray(at + 8)
      }
      if (id === 'fmt ' && at + 24 <= bytes.length)
        form = {
          format: bytes.readUInt16LE(at + 8),
          channels: bytes.readUInt16LE(at + 10),
          rate: bytes.readUInt32LE(at + 12),
          bits: bytes.readUInt16LE(at + 22),
        }
      // chunks begin at even offsets
      at += 8 + length + (length & 1)
    }
    return undefined
  }

  return {
    /** Undefined until the header has come. */
    form: () => form,
    isBroken: () => isBroken,
    /** The samples in it. */
    take(bytes: Buffer): Buffer {
      let samples = bytes
      if (head) {
        head = Buffer.concat([head, bytes])
        const begun = begin(head)
        if (!begun) {
          isBroken ||= head.length > HEADER_MAX
          if (isBroken) head = Buffer.alloc(0)
          return Buffer.alloc(0)
        }
        head = undefined
        samples = begun
      }
      const taken = samples.subarray(0, Math.min(samples.length, left))
      left -= taken.length
      return taken
    },
  }
}
