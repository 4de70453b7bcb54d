import type { Random } from './random.ts'

/**
 * Ranges that the regulators reserve for fiction, so that no number here is anybody's: Ofcom, NANPA, ACMA,
 * Bundesnetzagentur, Arcep. `#` stands for a digit.
 */
const LANDLINES = {
  london: '442079460###',
  manchester: '441614960###',
  edinburgh: '441314960###',
  bristol: '441174960###',
  leeds: '441134960###',
  berlin: '493023125###',
  frankfurt: '496990009###',
  paris: '3319900####',
  chicago: '131255501##',
  milwaukee: '141455501##',
  madison: '160855501##',
  indianapolis: '131755501##',
  columbus: '161455501##',
  detroit: '131355501##',
  minneapolis: '161255501##',
  sydney: '6125550####',
  melbourne: '6135550####',
  brisbane: '6175550####',
  perth: '6185550####',
} as const
export type City = keyof typeof LANDLINES

const MOBILES = {
  uk: ['447700900###'],
  de: ['4915228817386', '4915228895456', '4915254599371'],
  fr: ['3363998####'],
  us: ['177355501##', '184755501##', '126255501##', '192055501##', '176555501##', '124855501##'],
  au: [
    ...['61491570006', '61491570156', '61491570157', '61491570158', '61491570159', '61491570110'],
    ...['61491570313', '61491570737', '61491571266', '61491571491', '61491571804', '61491572549'],
    ...['61491572665', '61491572983', '61491573770', '61491573087', '61491574118', '61491574632'],
    ...['61491575254', '61491575789', '61491576398', '61491576801', '61491577426', '61491577644'],
  ],
} as const
export type Country = keyof typeof MOBILES

const CITIES: Record<Country, readonly City[]> = {
  uk: ['london', 'manchester', 'edinburgh', 'bristol', 'leeds'],
  de: ['berlin', 'frankfurt'],
  fr: ['paris'],
  us: ['chicago', 'milwaukee', 'madison', 'indianapolis', 'columbus', 'detroit', 'minneapolis'],
  au: ['sydney', 'melbourne', 'brisbane', 'perth'],
}

const fill = (range: string, digit: () => number) => range.replace(/#/g, () => String(digit()))

/** The number of somebody who calls or is called. */
export const personIn = (country: Country, random: Random) =>
  fill(
    random.chance(0.65) ? random.pick(MOBILES[country]) : LANDLINES[random.pick(CITIES[country])],
    () => random.int(0, 9),
  )

/** The numbers of a city, each once. */
export function numbersOf(city: City) {
  let next = 10
  return () => {
    const range = LANDLINES[city]
    const free = range.split('#').length - 1
    const digits = String(next++).padStart(free, '0')
    if (digits.length > free) throw new Error(`No more numbers in ${city}`)
    let at = 0
    return fill(range, () => Number(digits[at++]))
  }
}

export const countryOf = (city: City) =>
  (Object.keys(CITIES) as Country[]).find((country) => CITIES[country].includes(city))!
