type Value = string | Map<string, string> | Map<string, number> | Set<string>

/** Data of a Redis: values by key, some of which expire. */
export class Keys {
  #values = new Map<string, Value>()
  #expiry = new Map<string, number>()

  #value(key: string) {
    if ((this.#expiry.get(key) ?? Infinity) <= Date.now()) this.delete(key)
    return this.#values.get(key)
  }

  text(key: string) {
    const value = this.#value(key)
    return typeof value === 'string' ? value : undefined
  }

  set(key: string, value: string, seconds?: number) {
    this.#values.set(key, value)
    this.#expiry.delete(key)
    if (seconds !== undefined) this.expire(key, seconds)
  }

  add(key: string, n: number) {
    const sum = Number(this.text(key) ?? 0) + n
    this.#values.set(key, String(sum))
    return sum
  }

  expire(key: string, seconds: number) {
    if (this.#value(key) === undefined) return false
    this.#expiry.set(key, Date.now() + seconds * 1_000)
    return true
  }

  delete(key: string) {
    this.#expiry.delete(key)
    return this.#values.delete(key)
  }

  names = (pattern: string) =>
    [...this.#values.keys()].filter(
      (key) => this.#value(key) !== undefined && matches(pattern, key),
    )

  /** Empty for a key that does not exist. */
  hash = (key: string) => this.#collection(key, () => new Map<string, string>())
  sorted = (key: string) => this.#collection(key, () => new Map<string, number>())
  members = (key: string) => this.#collection(key, () => new Set<string>())

  #collection = <T extends Value>(key: string, empty: () => T) =>
    (this.#value(key) as T | undefined) ?? empty()

  keep(key: string, value: Map<string, string> | Map<string, number> | Set<string>) {
    this.#values.set(key, value)
  }
}

/** True if a text matches a Redis pattern. */
export function matches(pattern: string, text: string) {
  const source = pattern.replace(/\\(.)|([*?])|([.+^${}()|[\]\\])/gs, (_, plain, wild, special) =>
    wild ? (wild === '*' ? '.*' : '.') : `\\${plain ?? special}`,
  )
  return new RegExp(`^${source}$`, 's').test(text)
}
