/** Makes a unique key. Browsers have `randomUUID` on secure pages only, and Node 18 has no global `crypto`. */
export function newKey() {
  const { crypto } = globalThis as { crypto?: Crypto }
  if (crypto?.randomUUID) return crypto.randomUUID()
  const words = crypto?.getRandomValues(new Uint32Array(4)) ?? Array.from({ length: 4 }, word)
  return Array.from(words, (n) => n.toString(16).padStart(8, '0')).join('')
}

const word = () => Math.floor(Math.random() * 2 ** 32)
