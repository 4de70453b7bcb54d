import { describe, expect, it } from 'vitest'
import { foundWords, joinedWords, spokenWords, wantedWords } from './spoken-words.ts'
import { SaidFilter } from './voice-filters.ts'

/** True if a search finds a call in which this was said. */
const isFound = (text: string, search: string) => {
  const wanted = wantedWords(search)
  const spoken = [spokenWords(text), joinedWords(text)]
  return wanted.length > 0 && wanted.every((words) => spoken.some((one) => one.includes(words)))
}

describe('words', () => {
  it.each([
    ['', ''],
    [' … !?', ''],
    ['Hello, WORLD!', ' hello world '],
    ['a\tb\nc\0d', ' a b c d '],
    ["I don’t, don't — “do”", ' i don t don t do '],
    ['e-mail: jane_doe@example.com', ' e mail jane doe example com '],
    ['1,234.50 €, 5:30', ' 1 234 50 5 30 '],
    ['１２３ ＡＢＣ ﬁn ½', ' 123 abc fin 1 2 '],
    ['😀👨‍👩‍👧 ok 🇩🇪', ' ok '],
    ['soft\u00adhyphen \u200fright\ufeff', ' softhyphen right '],
    ['\ud800x\udc00', ' x '],
    // German
    ['Straße STRASSE Grüße Grüße', ' strasse strasse grusse grusse '],
    // Turkish
    ['İSTANBUL ISPARTA ısı çığ', ' istanbul isparta isi cig '],
    // French, Polish, Danish, Greek, Russian, Vietnamese
    ["l’Œuvre d'été", ' l oeuvre d ete '],
    ['Łódź, Ærø, ΛΌΓΟΣ λόγος', ' lodz aero λογοσ λογοσ '],
    ['Ёлка П’ять điện', ' елка п ять dien '],
    // Arabic and Hebrew, with and without vowels
    ['مُحَمَّد محمد أهلاً اهلا مـــحمد', ' محمد محمد اهلا اهلا محمد '],
    ['شָלוֹם שָׁלוֹם שלום צה"ל', ' شלום שלום שלום צה ל '],
    // vowels of others are letters
    ['नमस्ते दुनिया', ' नमस्ते दुनिया '],
    // without spaces: letter by letter
    ['我想付款。', ' 我 想 付 款 '],
    ['ホテルを予約', ' ホ テ ル を 予 約 '],
    ['ﾎﾃﾙ がカ', ' ホ テ ル が カ '],
    ['จ่ายเงิน', ' จ่ า ย เ งิ น '],
    ['결제 도와주세요', ' 결제 도와주세요 '],
    ['OK你好PayPal', ' ok 你 好 paypal '],
  ])('of %j are %j', (text, words) => {
    expect(spokenWords(text)).toBe(words)
    // words of words are the same, and each text is taken alike in either form
    expect(spokenWords(words)).toBe(words)
    for (const form of ['NFC', 'NFD'] as const)
      expect(spokenWords(text.normalize(form)), form).toBe(words)
  })
})

describe('a search', () => {
  it.each([
    ['pay bill', [' pay', ' bill']],
    ['"pay my bill" now', [' pay my bill', ' now']],
    ['„Guten Tag“ «bon jour» “good day”', [' guten tag', ' bon jour', ' good day']],
    ['"not closed', [' not closed']],
    ['pay PAY páy', [' pay']],
    ["don't e-mail", [' don t', ' e mail']],
    ['צה"ל', [' צה ל']],
    ['付款', [' 付 款']],
    ['"" " " \' - * AND', [' and']],
    ['😀 … ""', []],
  ])('for %j wants %j', (search, wanted) => {
    expect(wantedWords(search)).toEqual(wanted)
  })

  it.each([
    ['I want to pay my bill', 'pay', true],
    ['I want to pay my bill', 'bil wan', true],
    ['I want to pay my bill', '"pay my b"', true],
    ['I want to pay my bill', '"pay bill"', false],
    ['I want to pay my bill', 'ay', false],
    ['I want to pay my bill', '"wan to"', false],
    ['I don’t know', "don't", true],
    ['I don’t know', 'dont', true],
    ['I don’t know', '"i dont know"', true],
    ['please re-enter it', 'reenter', true],
    ['1,000 or 2.000,50 €', '1000 2000', true],
    ['it costs 3.14', '314', false],
    ['Grüße aus Köln', 'GRUSSE koln', true],
    ['我想付款', '付款', true],
    ['我想付款', '想付', true],
    ['我想付款', '款付', false],
    ['ต้องการจ่ายเงิน', 'จ่ายเงิน', true],
    ['कृपया भुगतान करें', 'भुगतान', true],
    ['one % two _ three', '%', false],
    ['one', '', false],
  ])('finds in %j by %j: %s', (text, search, is) => {
    expect(isFound(text, search)).toBe(is)
  })

  it('has a word, and not too many or too long ones', () => {
    expect(SaidFilter.parse('pay "my bill"')).toEqual([' pay', ' my bill'])
    expect(SaidFilter.parse('a b c d e f g h i j')).toHaveLength(10)
    for (const bad of ['', ' ', '"', '😀', 'a b c d e f g h i j k', 'a'.repeat(201)])
      expect(SaidFilter.safeParse(bad).success, bad).toBe(false)
  })
})

describe('places of words', () => {
  const marked = (text: string, search: string) =>
    foundWords(text, wantedWords(search)).map(([from, to]) => text.slice(from, to))

  it.each([
    ['I want to pay, PAYMENT now', 'pay', ['pay, PAYMENT']],
    ['I want to pay my bill. Pay!', 'bill pay', ['pay', 'bill. Pay']],
    ['Please pay my bill, bill', '"pay my b"', ['pay my bill']],
    ['I don’t know, don', "don't", ['don’t']],
    ['I don’t know, dont', 'dont', ['don’t', 'dont']],
    ['Re-enter 1,000 or 1 000.', 'reenter 1000', ['Re-enter 1,000']],
    ['a-b-c 1.000.000', '1000000 abc', ['a-b-c 1.000.000']],
    ['Grüße aus Köln', 'gruss', ['Grüße']],
    ['Grüße aus Ko\u0308ln', 'koln', ['Ko\u0308ln']],
    ['我想付款', '付款', ['付款']],
    ['½ and 2', '2', ['½', '2']],
    ['nothing', 'else', []],
    ['', 'else', []],
  ])('in %j by %j are %j', (text, search, found) => {
    expect(marked(text, search)).toEqual(found)
  })
})
