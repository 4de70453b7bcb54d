import { describe, expect, it } from 'vitest'
import { MAX_WORDS_BYTES, wordsOf } from './words.ts'

describe('what was said', () => {
  it('is searched without phrases across', () => {
    const words = wordsOf(['Hello, world', '…', 'Good bye', 'hello world!'])
    expect(words).toBe(' hello world ¶ good bye ')
    expect(wordsOf([])).toBe('')
    // once more, where some write it otherwise
    expect(wordsOf(["Don't re-enter 1,000"])).toBe(' don t re enter 1 000 ¶ dont reenter 1000 ')
    expect(wordsOf(['¶', '\0', '"'])).toBe('')
  })

  it.each(['a', 'é ', '付', '\ufdfa', 'ab ', '😀'])('is cut where it is long, of %j', (text) => {
    // with all of it compared with all, minutes
    const some = Array.from({ length: 40 }, (_, i) => `${i} ${text.repeat(100_000)}`)
    const words = wordsOf(some)
    expect(Buffer.byteLength(words)).toBeLessThanOrEqual(MAX_WORDS_BYTES + 10)
    expect(words).not.toContain('\ufffd')
    expect(words.startsWith(' 0 ')).toBe(true)
  })
})
