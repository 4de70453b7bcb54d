const MAX_KEPT_BYTES = 32 << 20

/** Writes rows in ClickHouse's RowBinary, which is several times cheaper to make and to read than JSON. */
export class RowBinary {
  #buffer: Buffer
  #at = 0

  constructor(bytes = 1 << 20) {
    this.#buffer = Buffer.allocUnsafe(bytes)
  }

  get length() {
    return this.#at
  }

  /** The bytes written so far. Valid until `clear` or the next write. */
  view = () => this.#buffer.subarray(0, this.#at)

  /** A copy of the bytes written. */
  bytes = () => Buffer.from(this.view())

  /** Starts over in the same memory, unless there is too much of it. */
  clear() {
    if (this.#buffer.length > MAX_KEPT_BYTES) this.#buffer = Buffer.allocUnsafe(MAX_KEPT_BYTES)
    this.#at = 0
  }

  #room(bytes: number) {
    if (this.#at + bytes <= this.#buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#buffer.length, this.#at + bytes))
    this.#buffer.copy(larger, 0, 0, this.#at)
    this.#buffer = larger
  }

  uint8(value: number) {
    this.#room(1)
    this.#buffer[this.#at++] = value
  }

  uint16(value: number) {
    this.#room(2)
    this.#at = this.#buffer.writeUInt16LE(value, this.#at)
  }

  int32(value: number) {
    this.#room(4)
    this.#at = this.#buffer.writeInt32LE(value, this.#at)
  }

  uint32(value: number) {
    this.#room(4)
    this.#at = this.#buffer.writeUInt32LE(value, this.#at)
  }

  uint64(value: bigint) {
    this.#room(8)
    this.#at = this.#buffer.writeBigUInt64LE(value, this.#at)
  }

  /** Writes bytes that are in this format already. */
  raw(bytes: Buffer) {
    this.#room(bytes.length)
    this.#at += bytes.copy(this.#buffer, this.#at)
  }

  int64(value: bigint) {
    this.#room(8)
    this.#at = this.#buffer.writeBigInt64LE(value, this.#at)
  }

  float64(value: number) {
    this.#room(8)
    this.#at = this.#buffer.writeDoubleLE(value, this.#at)
  }

  /** An unsigned LEB128 number, as lengths are written. */
  size(value: number) {
    this.#room(5)
    let rest = value
    while (rest >= 128) {
      this.#buffer[this.#at++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.#buffer[this.#at++] = rest
  }

  text(value: string) {
    // three bytes for each UTF-16 unit are always enough
    if (value.length < 42) {
      this.#room(1 + 3 * value.length)
      const length = this.#buffer.write(value, this.#at + 1)
      this.#buffer[this.#at] = length
      this.#at += 1 + length
      return
    }
    const length = Buffer.byteLength(value)
    this.size(length)
    this.#room(length)
    this.#at += this.#buffer.write(value, this.#at)
  }

  /** Bytes as a String. */
  string(bytes: Uint8Array) {
    this.size(bytes.length)
    this.#room(bytes.length)
    this.#buffer.set(bytes, this.#at)
    this.#at += bytes.length
  }

  // Nullable values

  textOrNull(value: string | null) {
    this.uint8(value === null ? 1 : 0)
    if (value !== null) this.text(value)
  }

  float64OrNull(value: number | null) {
    this.uint8(value === null ? 1 : 0)
    if (value !== null) this.float64(value)
  }

  int32OrNull(value: number | null) {
    this.uint8(value === null ? 1 : 0)
    if (value !== null) this.int32(value)
  }
}
