import type { RunView } from '@switchroom/contract'

/**
 * The run with the steps that came, of which the server leaves out those that are there. Returns the same run if
 * nothing is new, so that nothing is drawn again.
 */
export function mergeRun(known: RunView | undefined, skipped: number, came: RunView): RunView {
  if (!known || skipped === 0 || came.is_withheld) return came
  const isSame =
    came.steps.length === 0 && came.state === known.state && came.question === known.question
  if (isSame) return known
  return { ...came, steps: [...known.steps.slice(0, skipped), ...came.steps] }
}
