import { numberText, plural, t } from '@switchroom/contract'
import { ANSWERED } from '../../stores/anomalies/measures.ts'
import { type Anomaly, MOST_SUBJECTS, type Unjudged } from '../../stores/anomalies/method.ts'
import { LONGEST, STEP_MS } from '../../stores/anomalies/subject-series.ts'

type Values = { name: string; to: number; value: string; usual: string }
type Texts = Record<'answered' | 'no_calls' | 'time_to_answer', (values: Values) => string> & {
  calls: (n: number, values: Values) => string
}

const TEXTS: Record<Anomaly['kind'], Texts> = {
  carrier: {
    answered: (values) =>
      t('Carrier {name}: {value} answered in the last {to} minutes, usually {usual}', values),
    no_calls: (values) =>
      t('Carrier {name}: no calls in the last {to} minutes, usually about {usual}', values),
    calls: (n, values) =>
      plural(
        n,
        'Carrier {name}: 1 call in the last {to} minutes, usually about {usual}|Carrier {name}: {n} calls in the last {to} minutes, usually about {usual}',
        values,
      ),
    time_to_answer: (values) =>
      t(
        'Carrier {name}: {value} to answer on average in the last {to} minutes, usually {usual}',
        values,
      ),
  },
  application: {
    answered: (values) =>
      t('Application {name}: {value} answered in the last {to} minutes, usually {usual}', values),
    no_calls: (values) =>
      t('Application {name}: no calls in the last {to} minutes, usually about {usual}', values),
    calls: (n, values) =>
      plural(
        n,
        'Application {name}: 1 call in the last {to} minutes, usually about {usual}|Application {name}: {n} calls in the last {to} minutes, usually about {usual}',
        values,
      ),
    time_to_answer: (values) =>
      t(
        'Application {name}: {value} to answer on average in the last {to} minutes, usually {usual}',
        values,
      ),
  },
  account: {
    answered: (values) =>
      t('Account {name}: {value} answered in the last {to} minutes, usually {usual}', values),
    no_calls: (values) =>
      t('Account {name}: no calls in the last {to} minutes, usually about {usual}', values),
    calls: (n, values) =>
      plural(
        n,
        'Account {name}: 1 call in the last {to} minutes, usually about {usual}|Account {name}: {n} calls in the last {to} minutes, usually about {usual}',
        values,
      ),
    time_to_answer: (values) =>
      t(
        'Account {name}: {value} to answer on average in the last {to} minutes, usually {usual}',
        values,
      ),
  },
  prefix: {
    answered: (values) =>
      t(
        'Calls to numbers starting with {name}: {value} answered in the last {to} minutes, usually {usual}',
        values,
      ),
    no_calls: (values) =>
      t(
        'Calls to numbers starting with {name}: no calls in the last {to} minutes, usually about {usual}',
        values,
      ),
    calls: (n, values) =>
      plural(
        n,
        'Calls to numbers starting with {name}: 1 call in the last {to} minutes, usually about {usual}|Calls to numbers starting with {name}: {n} calls in the last {to} minutes, usually about {usual}',
        values,
      ),
    time_to_answer: (values) =>
      t(
        'Calls to numbers starting with {name}: {value} to answer on average in the last {to} minutes, usually {usual}',
        values,
      ),
  },
}

const percent = (share: number) => `${Math.round(share * 100)} %`
const seconds = (s: number) => `${s.toFixed(1)} s`
const count = (n: number) => numberText(Math.round(n))

const SHOWN = {
  answered: percent,
  fewer_calls: count,
  more_calls: count,
  time_to_answer: seconds,
}

/** The name of a subject: a carrier's with the direction, `North, outbound`. */
const nameWith = ({ direction }: Pick<Anomaly, 'direction'>, name: string) =>
  direction === 'inbound'
    ? t('{name}, inbound', { name })
    : direction === 'outbound'
      ? t('{name}, outbound', { name })
      : name

/** Why subjects were not judged. */
export const UNJUDGED_TEXTS: Record<Unjudged['reason'], string> = {
  too_few_calls: t('Fewer than {least} calls in the last {hours} hours', {
    least: ANSWERED.least,
    hours: (LONGEST * STEP_MS) / 3_600_000,
  }),
  too_little_history: t('Too few earlier calls to compare with'),
  not_busiest: t('Only the {most} busiest are compared', { most: MOST_SUBJECTS }),
}

/** An anomaly in words: `Carrier North, outbound: 56 % answered in the last 30 minutes, usually 84 %`. */
export function sentenceOf(anomaly: Anomaly, name: string): string {
  const { kind, measure, value, usual, from, to } = anomaly
  const shown = SHOWN[measure]
  const values = {
    name: nameWith(anomaly, name),
    to: (to - from) / 60_000,
    value: shown(value),
    usual: shown(usual),
  }
  const texts = TEXTS[kind]
  if (measure === 'answered' || measure === 'time_to_answer') return texts[measure](values)
  return measure === 'fewer_calls' && value === 0
    ? texts.no_calls(values)
    : texts.calls(Math.round(value), values)
}
