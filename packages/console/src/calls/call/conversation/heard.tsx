import type { Heard } from '@switchroom/contract'
import { useContext } from 'react'
import { PressedKeys } from '../../../ui/pressed-keys'
import { Status } from '../../../ui/status'
import { VendorNames } from '../../use-vendor-names'
import { heardFacts, outcomeOf } from './conversation-text'
import { WordsContext } from './kept-words'
import { Words } from './words'

/** Words or keys of one side. */
export function HeardText({ heard, isNew }: { heard: Heard; isNew: boolean }) {
  const { transcript, from_recording, digits, error } = heard
  const outcome = outcomeOf(heard, useContext(WordsContext))
  const facts = heardFacts(heard, useContext(VendorNames), isNew)
  return (
    <>
      <Words text={transcript} from_recording={from_recording} />
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
