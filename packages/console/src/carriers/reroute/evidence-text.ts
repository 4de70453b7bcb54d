import { type FailureFix, numberText, plural, prefixText } from '@switchroom/contract'

export type Offered = NonNullable<FailureFix['reroute']>

/** Why the other carrier would do better, from calls. */
export const evidenceText = ({ carrier, replaces, prefix, completed, failing }: Offered) =>
  [
    plural(
      completed.calls,
      '{carrier} answered {answered} of 1 call to {prefix} in the last 7 days.|{carrier} answered {answered} of {n} calls to {prefix} in the last 7 days.',
      {
        carrier: carrier.name,
        answered: numberText(completed.answered),
        prefix: prefixText(prefix),
      },
    ),
    plural(
      failing.calls,
      '{carrier} refused {refused} of 1 in the last {hours} h.|{carrier} refused {refused} of {n} in the last {hours} h.',
      { carrier: replaces.name, refused: numberText(failing.refused), hours: failing.hours },
    ),
  ].join(' ')
