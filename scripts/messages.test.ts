import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { messagesInSource, untranslatedInSchemas, valuesIn } from './messages.ts'

/** Every word of the console is in the catalogue of every language, and nothing else is. */
const messages = messagesInSource()
const texts = [...new Set(messages.map(({ text }) => text))]
const languages = globSync('packages/console/languages/*.json').map(
  (file) => [basename(file, '.json'), JSON.parse(readFileSync(file, 'utf8'))] as const,
)

it('finds the messages and the languages', () => {
  expect(texts.length).toBeGreaterThan(3_000)
  expect(languages.map(([name]) => name)).toEqual(['de'])
})

it('has whole messages, not pieces of sentences', () => {
  const pieces = messages.filter(({ text }) => text !== text.trim() || /^[,;]/.test(text))
  expect(pieces.map(({ file, text }) => `${file}: ${text}`)).toEqual([])
})

it('has what schemas say of a field', () => {
  expect(untranslatedInSchemas()).toEqual([])
})

it('is given each of its values', () => {
  const lacking = messages.filter(
    ({ tag, text, given }) =>
      given &&
      valuesIn(text).some((name) => !given.includes(name!) && !(tag === 'plural' && name === 'n')),
  )
  expect(lacking.map(({ file, text }) => `${file}: ${text}`)).toEqual([])
  expect(messages.filter(({ given }) => given).length).toBeGreaterThan(4_000)
})

describe.each(languages)('%s', (language, catalogue: Record<string, string>) => {
  it('has every message, and no others', () => {
    expect(texts.filter((text) => !(text in catalogue))).toEqual([])
    expect(Object.keys(catalogue).filter((text) => !texts.includes(text))).toEqual([])
  })

  it('is sorted, so that two people can add to it', () => {
    expect(Object.keys(catalogue)).toEqual(Object.keys(catalogue).sort())
  })

  it('uses the values of the English', () => {
    // an article is part of the English only
    const names = (text: string) => valuesIn(text).filter((name) => name !== 'article')
    const differ = Object.entries(catalogue).filter(
      ([english, text]) => !text || String(names(english)) !== String(names(text)),
    )
    expect(differ).toEqual([])
  })

  it('has the plural forms of its rules', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    const plurals = new Set(messages.filter(({ tag }) => tag === 'plural').map(({ text }) => text))
    const wrong = Object.entries(catalogue).filter(
      ([english, text]) =>
        text.split('|').length !== (plurals.has(english) ? pluralCategories.length : 1),
    )
    expect(wrong).toEqual([])
  })
})
