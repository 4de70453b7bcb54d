/** A deterministic random number generator: the same seed gives the same demo. */
export class Random {
  #state: number

  constructor(seed: string) {
    // FNV-1a
    let hash = 0x811c9dc5
    for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193)
    this.#state = hash >>> 0
  }

  /** From 0 to 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number, both ends included. */
  int = (from: number, to: number) => from + Math.floor(this.next() * (to - from + 1))
  chance = (probability: number) => this.next() < probability
  pick = <T>(from: readonly T[]): T => from[Math.floor(this.next() * from.length)]!

  weighted<T>(options: readonly (readonly [T, number])[]): T {
    let left = this.next() * options.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [option, weight] of options) {
      left -= weight
      if (left < 0) return option
    }
    return options.at(-1)![0]
  }

  /** Around `median`, with a long tail upwards. */
  skewed(median: number, spread = 0.6) {
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next())
    return median * Math.exp(spread * normal)
  }

  /** How many independent events happen where `mean` are expected. */
  poisson(mean: number) {
    const limit = Math.exp(-mean)
    let n = 0
    for (let p = this.next(); p > limit; p *= this.next()) n++
    return n
  }

  hex = (digits: number) =>
    Array.from({ length: Math.ceil(digits / 4) }, () =>
      Math.floor(this.next() * 65_536)
        .toString(16)
        .padStart(4, '0'),
    )
      .join('')
      .slice(0, digits)
  /** A version 4 UUID. */
  uuid = () =>
    this.hex(32).replace(
      /^(.{8})(.{4}).(.{3}).(.{3})/,
      (_, a, b, c, d) => `${a}-${b}-4${c}-${'89ab'[this.int(0, 3)]}${d}-`,
    )
}
