import { Notice } from '../../ui/notice'
import { CopyLines } from './copy-lines'
import type { Setup } from './lines'

/** Lines to paste into the configuration of components, so that their data arrives here. */
export const PasteLines = ({ text, warning, pastes }: Setup) => (
  <>
    {warning && <Notice tone="warn">{warning}</Notice>}
    {text && <p>{text}</p>}
    {pastes.map(({ where, lines }) => (
      <CopyLines key={where} label={where} lines={lines} />
    ))}
  </>
)
