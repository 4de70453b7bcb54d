import { describe, expect, it } from 'vitest'
import { CALLING_CODES } from './calling-codes.ts'
import { numbersIn, searchText } from './search-text.ts'

const SID = '0d4c29ed-ebe2-4f4f-9f4b-2a6f1a1f9b10'

describe('a text that somebody typed to find something', () => {
  it.each([
    ['+1 (508) 555-0084', '15085550084'],
    ['44 207', '44207'],
    ['(212) 555', '212555'],
    ['508.555.0084', '5085550084'],
    ['030/123 45', '3012345'],
    ['+44 (0)20 7946 0000', '442079460000'],
    ['0044 20 7946', '44207946'],
    ['020 7946', '207946'],
    // the trunk prefix in brackets, as Germans write it
    ['(030) 1234', '301234'],
    // the end of a number, not a prefix
    ['0084', '0084'],
    ['55-0084', '550084'],
    ['0', '0'],
    ['+1', '1'],
    ['\u00a0212\u00a0555 ', '212555'],
  ])('%s is a number', (typed, digits) => {
    expect(searchText(typed)).toEqual({ text: typed.trim(), digits })
  })

  it.each(['Sales', '1508*', '^1508\\d{7}$', 'ext 12', '10.0.0.5', '+', '( )', '', 'a1', '#12'])(
    '%j is a text',
    (typed) => {
      expect(searchText(` ${typed} `)).toEqual({ text: typed.trim() })
    },
  )

  it('is a sid', () => {
    expect(searchText(` ${SID.toUpperCase()}`)).toEqual({ text: SID.toUpperCase(), sid: SID })
    expect(searchText('11111111-1111-1111-1111-111111111111').sid).toBeDefined()
  })
})

it('knows the calling codes that there may be, none of which begins another', () => {
  for (const code of ['1', '7', '20', '44', '49', '91', '212', '353', '421', '880', '998'])
    expect(CALLING_CODES).toContain(code)
  for (const code of CALLING_CODES)
    expect(CALLING_CODES.filter((other) => other.startsWith(code))).toEqual([code])
})

describe('several numbers', () => {
  const plain = (digits: string) => ({ digits, begins: false })
  it.each([
    ['+15085550123, 0049 30 1234', [plain('15085550123'), plain('49301234')]],
    ['+1 508 555 0123 +44 20 7946 0958', [plain('15085550123'), plain('442079460958')]],
    ['15085550123\n442079460958', [plain('15085550123'), plain('442079460958')]],
    // as browsers paste a column into one line
    ['15085550123 442079460958', [plain('15085550123'), plain('442079460958')]],
    ['+4420*', [{ digits: '4420', begins: true }]],
    ['004420*; 0123', [{ digits: '4420', begins: true }, plain('0123')]],
  ])('%j are', (typed, numbers) => {
    expect(numbersIn(typed)).toEqual(numbers)
  })

  it.each(['020 7946 0958', '1508555 0123', 'Sales, North', '+15085550123, Sales', '12*', '*', ''])(
    '%j are not',
    (typed) => {
      expect(numbersIn(typed)).toBeUndefined()
    },
  )
})
