import { Notice } from '../../ui/notice'
import { CopyLines } from './copy-lines'
import type { Setup } from './lines'

/** What to paste into the configuration of components, so that what they know arrives here. */
export const PasteLines = ({ text, warning, pastes }: Setup) => (
  <>
    {warning && <Notice tone="warn">{warning}</Notice>}
    {text && <p>{text}</p>}
    {pastes.map(({ where, lines }) => (
      <CopyLines key={where} label={where} lines={lines} />
    ))}
  </>
)
