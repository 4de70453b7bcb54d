import { expect, it } from 'vitest'
import { countText } from './count-text'

it.each(['en', 'en-US', 'en-GB', 'en-IN', 'en-ZA', 'de', 'fr', 'ar-EG'])(
  'groups digits as browsers do in %s',
  (language) => {
    for (const n of [0, 7, 999, 1_000, 12_345, 999_999, 1_234_567, 100_000_000])
      expect(countText(n, language)).toBe(n.toLocaleString(language))
  },
)
