// Tails of distributions: how likely a count as far from the usual is by chance.

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
]

/** The logarithm of the gamma function, of a positive number. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x)
  const t = x + 6.5
  let sum = 0.9999999999998099
  for (const [i, c] of LANCZOS.entries()) sum += c / (x + i)
  return 0.9189385332046727 + (x - 0.5) * Math.log(t) - t + Math.log(sum)
}

const logBeta = (a: number, b: number) => logGamma(a) + logGamma(b) - logGamma(a + b)
const logChoose = (n: number, k: number) => logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1)

/** Terms that no longer change a sum. */
const NOTHING = 1e-12

/** Adds up the terms of a tail, each its predecessor times `ratio`. */
function tail(first: number, last: number, term: number, ratio: (k: number) => number) {
  let sum = 0
  for (let k = first; k <= last; k++) {
    sum += term
    const next = term * ratio(k)
    if (next < term && next < sum * NOTHING) break
    term = next
  }
  return Math.min(1, sum)
}

/** Beta-binomial: at least `k` of `n`, if their share varies with mean a / (a + b). */
export function atLeastOf(k: number, n: number, a: number, b: number): number {
  const first = Math.exp(logChoose(n, k) + logBeta(k + a, n - k + b) - logBeta(a, b))
  return tail(k, n, first, (i) => ((n - i) * (i + a)) / ((i + 1) * (n - i - 1 + b)))
}

/** Negative binomial with this mean, whose variance is mean + dispersion × mean². */
function countTail(first: number, last: number, mean: number, dispersion: number) {
  const r = 1 / dispersion
  const q = mean / (mean + r)
  const logTerm =
    logGamma(first + r) -
    logGamma(first + 1) -
    logGamma(r) +
    r * Math.log1p(-q) +
    first * Math.log(q)
  return tail(first, last, Math.exp(logTerm), (k) => ((k + r) / (k + 1)) * q)
}
export const atMost = (count: number, mean: number, dispersion: number) =>
  countTail(0, count, mean, dispersion)
export const atLeast = (count: number, mean: number, dispersion: number) =>
  countTail(count, Number.MAX_SAFE_INTEGER, mean, dispersion)

/** Student's t, one-sided, by way of a normal deviate (Wallace). */
export function above(t: number, freedom: number): number {
  if (t <= 0) return 1
  const scale = (8 * freedom + 1) / (8 * freedom + 3)
  return normalAbove(scale * Math.sqrt(freedom * Math.log1p((t * t) / freedom)))
}

/** The complementary error function of Numerical Recipes, to seven digits. */
function normalAbove(z: number): number {
  const x = z / Math.SQRT2
  const t = 1 / (1 + 0.5 * x)
  const c = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398,
    1.48851587, -0.82215223, 0.17087277,
  ]
  const series = c.reduceRight((sum, one) => sum * t + one, 0)
  return 0.5 * t * Math.exp(-x * x + series)
}
