import { decimalText, type Heard, plural, type Said, t } from '@switchroom/contract'
import { type Clock, type Finding, finding, type Placed } from './finding.ts'
import { LOW_CONFIDENCE } from './heard.ts'
import { sameText } from './said.ts'
import { quoted, seconds, times } from './sentence.ts'

const IN_A_ROW = 3

/** Runs of at least three that follow each other. */
function runs<T>(items: readonly T[], goesOn: (item: T, before: T | undefined) => boolean): T[][] {
  const found: T[][] = []
  let run: T[] = []
  for (const item of items) {
    if (!goesOn(item, run.at(-1))) {
      found.push(run)
      run = []
    }
    if (run.length > 0 || goesOn(item, undefined)) run.push(item)
  }
  return [...found, run].filter(({ length }) => length >= IN_A_ROW)
}

const isNotUnderstood = ({ outcome, asked_again }: Heard) =>
  asked_again || outcome === 'nothing' || outcome === 'low_confidence' || outcome === 'error'

export function notUnderstood(heard: readonly Placed<Heard>[], at: Clock): Finding[] {
  return runs(heard, ({ entry }) => isNotUnderstood(entry)).map((run) => {
    const values = { times: times(run.length), at: at(run[0]!.entry.at) }
    const isSilent = run.every(({ entry }) => entry.outcome === 'nothing')
    return finding(
      'bad',
      run[0]!,
      isSilent
        ? t('Nothing was heard from the caller {times} in a row, from {at} on.', values)
        : t('The caller was not understood {times} in a row, from {at} on.', values),
    )
  })
}

export function lowConfidence(heard: readonly Placed<Heard>[], at: Clock): Finding[] {
  const low = heard.filter(
    ({ entry: { confidence } }) => confidence !== null && confidence < LOW_CONFIDENCE,
  )
  const [lowest] = low.toSorted((a, b) => a.entry.confidence! - b.entry.confidence!)
  if (!lowest) return []
  const text = plural(
    low.length,
    'Speech was recognized with low confidence, {percent} % at {at}.|Speech was recognized with low confidence in {n} turns, the lowest {percent} % at {at}.',
    { percent: decimalText(lowest.entry.confidence! * 100, 0), at: at(lowest.entry.at) },
  )
  return [finding('warn', lowest, text)]
}

export function samePrompt(said: readonly Placed<Said>[], at: Clock): Finding[] {
  const same = (p: Placed<Said>, before: Placed<Said> | undefined) =>
    sameText(p.entry) !== null && (!before || sameText(before.entry) === sameText(p.entry))
  return runs(said, same).map((run) =>
    finding(
      'warn',
      run[0]!,
      repeated(run[0]!.entry.is_cut, {
        times: times(run.length),
        at: at(run[0]!.entry.at),
      }),
    ),
  )
}

/** A trace has only the beginning of a prompt, so that two can look the same. */
const repeated = (is_cut: boolean, values: { times: string; at: string }) =>
  is_cut
    ? t('A prompt with the same beginning was said {times} in a row, from {at} on.', values)
    : t('The same prompt was said {times} in a row, from {at} on.', values)

export function failedVoices(said: readonly Placed<Said>[], at: Clock): Finding[] {
  const [first] = said.filter(({ entry }) => entry.failed.length > 0)
  if (!first) return []
  const { failed, is_spoken, vendor } = first.entry
  const values = { vendor: quoted(failed[0]!.vendor), at: at(first.entry.at) }
  if (!is_spoken)
    return [
      finding(
        'bad',
        first,
        t('{vendor} failed to synthesize speech at {at}. Nothing was said.', values),
      ),
    ]
  const took = seconds(failed.reduce((sum, { ms }) => sum + ms, 0))
  return [
    finding(
      'warn',
      first,
      t('{vendor} failed to synthesize speech at {at}. {other} took its place, {time} later.', {
        ...values,
        other: quoted(vendor ?? ''),
        time: took,
      }),
    ),
  ]
}

export function failedRecognition(heard: readonly Placed<Heard>[], at: Clock): Finding[] {
  const first = (isIt: (entry: Heard) => boolean) => heard.find(({ entry }) => isIt(entry))
  const instead = first(({ instead_of }) => instead_of !== null)
  const failed = first(({ outcome }) => outcome === 'error')
  const stopped = first(({ outcome }) => outcome === 'stopped')
  const found: Finding[] = []
  if (instead)
    found.push(
      finding(
        'warn',
        instead,
        t('Speech was recognized by {vendor} instead of {asked}, from {at} on.', {
          vendor: quoted(instead.entry.vendor ?? ''),
          asked: quoted(instead.entry.instead_of!),
          at: at(instead.entry.at),
        }),
      ),
    )
  if (failed) {
    const { error } = failed.entry
    const values = { at: at(failed.entry.at), error: quoted(error ?? '') }
    found.push(
      finding(
        'bad',
        failed,
        error === null
          ? t('Speech recognition failed at {at}.', values)
          : t('Speech recognition failed at {at}. The vendor reported {error}.', values),
      ),
    )
  }
  if (stopped)
    found.push(
      finding(
        'warn',
        stopped,
        t('Listening ended without a result at {at}. The recognizer may not have been reached.', {
          at: at(stopped.entry.at),
        }),
      ),
    )
  return found
}
