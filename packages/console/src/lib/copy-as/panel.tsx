import { commandOf, curlOf, type ShownRequest, t, typescriptOf } from '@switchroom/contract'
import { Copy, X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button, IconButton } from '../../ui/button'
import { copyWithToast } from '../../ui/copy'
import { rich } from '../../ui/rich'
import { Tabs } from '../../ui/tabs'
import { apiBase } from '../config'
import { commandWords } from './command-words'
import './panel.css'

const BASE = new URL(apiBase, location.href).href

const LANGUAGES = [
  { id: 'curl', label: 'curl', textOf: curlOf },
  { id: 'typescript', label: 'TypeScript', textOf: typescriptOf },
  { id: 'switchroom', label: 'switchroom', textOf: commandText },
]

function commandText(base: string, request: ShownRequest) {
  const words = commandWords(request)
  return words ? commandOf(base, request, words) : ''
}

/** Requests as code, beside what they are made of: it follows what is typed there. */
export default function CopyPanel({
  read,
  version,
  onClose,
}: {
  read: () => Promise<ShownRequest[]>
  /** Changes whenever the requests may have changed. */
  version: unknown
  onClose: () => void
}) {
  const [requests, setRequests] = useState<ShownRequest[]>([])
  const box = useRef<HTMLElement>(null)
  const readNow = useEffectEvent(read)
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the version changes
  useEffect(() => {
    let isCurrent = true
    readNow().then(
      (found) => isCurrent && setRequests(found),
      // what is entered makes no request yet: the last one stays
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [version])
  useEffect(() => box.current?.focus(), [])
  return (
    <section
      ref={box}
      className="copy-panel"
      aria-label={t('Copy as code')}
      tabIndex={-1}
      onKeyDown={(e) => {
        if (e.key === 'Escape') onClose()
      }}
    >
      <header>
        <h2>{t('Copy as code')}</h2>
        <IconButton label={t('Close')} onClick={onClose}>
          <X />
        </IconButton>
      </header>
      <p className="copy-panel-about">
        {rich('Secrets are variables: set {code} and those named below.', {
          code: <code>SWITCHROOM_API_KEY</code>,
        })}
      </p>
      <Tabs
        label={t('Language')}
        tabs={LANGUAGES.map(({ id, label, textOf }) => {
          const text = requests.map((request) => textOf(BASE, request)).join('\n\n')
          return {
            id,
            label,
            content: (
              <>
                <section
                  className="copy-panel-text"
                  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard
                  tabIndex={0}
                  aria-label={t('{label} text', { label })}
                >
                  <pre>{text}</pre>
                </section>
                <Button onClick={() => void copyWithToast(text, label)}>
                  <Copy aria-hidden />
                  {t('Copy {label}', { label })}
                </Button>
              </>
            ),
          }
        })}
      />
    </section>
  )
}
