import type { Heard as HeardEntry } from '@switchroom/contract'
import { useContext } from 'react'
import { LongText } from '../../../ui/long-text'
import { PressedKeys } from '../../../ui/pressed-keys'
import { Status } from '../../../ui/status'
import { heardFacts, outcomeOf } from './conversation-text'
import { WordsContext } from './kept-words'

/** What one side said or pressed. */
export function Heard({ heard }: { heard: HeardEntry }) {
  const { transcript, digits, error } = heard
  const outcome = outcomeOf(heard, useContext(WordsContext))
  const facts = heardFacts(heard)
  return (
    <>
      {transcript && <LongText text={transcript} />}
      {digits && <PressedKeys digits={digits} />}
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
