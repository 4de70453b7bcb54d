import { t } from '@switchroom/contract'
import { Copy } from 'lucide-react'
import { IconButton } from '../../ui/button'
import { copyWithToast } from '../../ui/copy'

/** Lines of text with a button that copies them. */
export function CopyLines({ label, lines }: { label: string; lines: string }) {
  return (
    <div className="copy-lines">
      <div className="copy-lines-head">
        <span>{label}</span>
        <IconButton
          label={t('Copy: {label}', { label })}
          onClick={() => void copyWithToast(lines, label)}
        >
          <Copy />
        </IconButton>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, by keyboard as well */}
      <pre tabIndex={0}>{lines}</pre>
    </div>
  )
}
