import { type Said, t } from '@switchroom/contract'
import { useContext } from 'react'
import { Status } from '../../../ui/status'
import { VendorNames } from '../../use-vendor-names'
import { saidFacts, withoutText } from './conversation-text'
import { WordsContext } from './kept-words'
import { Words } from './words'

/** A prompt of the application, spoken or played. */
export function SaidText({ said, isNew }: { said: Said; isNew: boolean }) {
  const { text, is_cut, from_recording, url, is_spoken, is_interrupted } = said
  const instead = withoutText(said, useContext(WordsContext))
  const facts = saidFacts(said, useContext(VendorNames), isNew)
  return (
    <>
      <Words text={text} is_cut={is_cut} from_recording={from_recording} />
      {url && <p className="turn-url">{url}</p>}
      {instead && <p className="turn-facts">{instead}</p>}
      {!is_spoken && (
        <p>
          <Status tone="bad">{t('Not spoken')}</Status>
        </p>
      )}
      {is_interrupted && (
        <p>
          <Status tone="info">{t('Interrupted')}</Status>
        </p>
      )}
      {facts.length > 0 && <p className="turn-facts">{facts.join(' · ')}</p>}
    </>
  )
}
