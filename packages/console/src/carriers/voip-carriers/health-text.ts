import { type CarrierHealth, type CarrierHours, decimalText, t } from '@switchroom/contract'

/** Answered calls of those with a known outcome; null without any. */
export const ratioOf = ({
  answered,
  not_answered,
}: Pick<CarrierHealth['day'], 'answered' | 'not_answered'>) =>
  answered + not_answered > 0 ? answered / (answered + not_answered) : null

export const ratios = ({ answered, not_answered }: CarrierHours) =>
  answered.map((n, i) => ratioOf({ answered: n, not_answered: not_answered[i]! }))

export const percentText = (ratio: number | null) =>
  ratio === null ? '–' : t('{percent} %', { percent: Math.round(ratio * 100) })
export const secondsText = (seconds: number | null) =>
  seconds === null ? '–' : `${decimalText(seconds)} s`
