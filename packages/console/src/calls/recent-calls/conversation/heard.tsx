import type { Heard as HeardEntry } from '@switchroom/contract'
import { Status } from '../../../ui/status'
import { heardFacts, keysOf, outcomeOf } from './conversation-text'
import { LongText } from './long-text'

/** What one side said or pressed. */
export function Heard({ heard }: { heard: HeardEntry }) {
  const { transcript, digits, error } = heard
  const outcome = outcomeOf(heard)
  const facts = heardFacts(heard)
  return (
    <>
      {transcript && <LongText text={transcript} />}
      {digits && (
        <p className="turn-keys">
          {keysOf(digits).map((key, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a key can be pressed twice
            <kbd key={i}>{key}</kbd>
          ))}
        </p>
      )}
      {outcome && (
        <p>
          <Status tone={outcome.tone}>{outcome.text}</Status>
        </p>
      )}
      {error && (
        <p className="turn-error" dir="auto">
          {error}
        </p>
      )}
      {facts.length > 0 && <p className="turn-facts">{facts.join(' · ')}</p>}
    </>
  )
}
