import { PROVIDERS, type ProviderPlan } from './tenants.ts'

export const MINUTE = 60_000
/** Calls come at least this often once the demo lives, so that there is something to see at any hour. */
const LEAST_PER_MINUTE = 7
/** For that long before, too: an hour in which a carrier goes wrong needs calls that show it. */
const LIVELY_BEFORE = 90

/** Calls by the hour of a working day, local time: whoever starts the demo sees its busy hours in theirs. */
const CURVE = [
  20, 18, 16, 16, 18, 20, 26, 38, 64, 90, 100, 96, 82, 85, 95, 100, 91, 74, 52, 42, 36, 30, 26, 22,
]
const OF_DAY = CURVE.reduce((sum, n) => sum + n, 0)
const WEEKEND = 0.45

/** How many calls of a provider begin in the minute of this time. */
function expected({ calls_per_weekday, hours_later }: ProviderPlan, at: number) {
  const local = new Date(at - hours_later * 60 * MINUTE)
  const hour = local.getHours()
  const part = local.getMinutes() / 60
  const share = CURVE[hour]! * (1 - part) + CURVE[(hour + 1) % 24]! * part
  const isWeekend = local.getDay() % 6 === 0
  return ((calls_per_weekday * share) / OF_DAY / 60) * (isWeekend ? WEEKEND : 1)
}

/** How many calls of each provider begin in this minute, the nth after the demo was made. */
export function ratesAt(at: number, nth: number, scale: number) {
  const rates = PROVIDERS.map((provider) => expected(provider, at) * scale)
  const all = rates.reduce((sum, rate) => sum + rate, 0)
  const more = nth < -LIVELY_BEFORE ? 1 : Math.max(1, LEAST_PER_MINUTE / all)
  return rates.map((rate) => rate * more)
}
