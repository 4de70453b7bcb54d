import { t } from '@switchroom/contract'
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

export const TOO_EASY = t('This password is too easy to guess. Choose a longer or less common one.')
export const PERSONAL = t(
  'This password is too close to the username, the email or the name of this product. Choose another one.',
)

/** Names of this product and its platform, which an attacker tries first. */
const PRODUCT = ['switchroom', 'jambonz', 'jambones']

/** The estimate grows faster than the length, and a password that is good up to here stays good. */
const MAX_LENGTH = 64

/** Below 10^6 guesses, as zxcvbn estimates them. */
const ACCEPTED_SCORE = 2

let estimator: Promise<ZxcvbnFactory> | undefined

/** Loaded with the first password that is set: 7 MB of heap and 70 ms. */
async function load() {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MAX_LENGTH })
}

/** A name or email, and its parts: jane.doe@example.org is also jane, doe and example. */
const words = (text: string) =>
  [text, text.split('@', 1)[0] ?? '', ...text.split(/[^\p{L}\p{N}]+/u)].filter(
    (word) => word.length >= 3,
  )

/**
 * Length that is estimated: a password with a good beginning is good, and all of a long one takes the estimator tens of
 * milliseconds.
 */
const BEGINNING = 24

/**
 * Why a password is among the first that an attacker tries; undefined if it is not. `known` are words the attacker
 * knows about the user.
 */
export async function whyGuessable(password: string, known: string[]) {
  estimator ??= load()
  const zxcvbn = await estimator
  const related = [...PRODUCT, ...known.flatMap(words)].map((word) => word.toLowerCase())
  function why(text: string) {
    const { score, sequence } = zxcvbn.check(text, related)
    const length = Math.min(text.length, MAX_LENGTH)
    const personal = sequence
      .filter((match) => 'dictionaryName' in match && match.dictionaryName === 'userInputs')
      .reduce((sum, { token }) => sum + token.length, 0)
    if (personal * 2 >= length) return PERSONAL
    return score < ACCEPTED_SCORE ? TOO_EASY : undefined
  }
  const beginsWell = password.length > BEGINNING && !why(password.slice(0, BEGINNING))
  return beginsWell ? undefined : why(password)
}
