import { numberText, t } from '@switchroom/contract'
import { useEffect, useMemo, useRef } from 'react'
import { Button } from '../../ui/button'
import { Dialog, DialogFoot } from '../../ui/dialog'

export type Shown = { name: string; text: string; line?: number | undefined }

const LINE_PX = 18
const PAD_PX = 8

/** A file with the numbers of its lines, one of them marked and in sight. */
export function FileView({ file, onClose }: { file: Shown; onClose: () => void }) {
  const { name, line } = file
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={line ? t('{name}, line {line}', { name, line: numberText(line) }) : name}
    >
      <Lines {...file} />
      <DialogFoot>
        <Button onClick={onClose}>{t('Close')}</Button>
      </DialogFoot>
    </Dialog>
  )
}

/** Two texts beside each other, however long: an element per line would be tens of thousands. */
function Lines({ name, text, line }: Shown) {
  const box = useRef<HTMLElement>(null)
  const numbers = useMemo(() => {
    const count = text.replace(/\n$/, '').split('\n').length
    return Array.from({ length: count }, (_, i) => i + 1).join('\n')
  }, [text])
  useEffect(() => {
    const of = box.current
    if (of && line) of.scrollTop = (line - 1) * LINE_PX - of.clientHeight / 2
  }, [line])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard
    <section ref={box} className="config-file" tabIndex={0} aria-label={name}>
      {line && (
        <span
          className="config-line"
          style={{ top: PAD_PX + (line - 1) * LINE_PX, height: LINE_PX }}
        />
      )}
      <pre className="config-numbers" aria-hidden>
        {numbers}
      </pre>
      <pre>
        <code>{text}</code>
      </pre>
    </section>
  )
}
