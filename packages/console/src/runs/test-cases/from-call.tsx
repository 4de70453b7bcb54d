import { type CallCase, fromServer, t } from '@switchroom/contract'
import { Copy, Download } from 'lucide-react'
import { saveFile } from '../../lib/save-file'
import { Button } from '../../ui/button'
import { copyWithToast } from '../../ui/copy'
import { Notice } from '../../ui/notice'
import sheet from './section.css?url'

/** Notes on what a test case cannot take over from its call, and the case as a file. */
export function FromCall({ name, notes, file }: Pick<CallCase, 'name' | 'notes' | 'file'>) {
  const save = () =>
    saveFile(
      new Blob([file], { type: 'application/yaml' }),
      `${name.toLowerCase().replace(/\W+/g, '-')}.yaml`,
    )
  return (
    <div className="case-from-call">
      <link rel="stylesheet" href={sheet} precedence="page" />
      {notes.map((note) => (
        <Notice key={note} tone="warn">
          {fromServer(note)}
        </Notice>
      ))}
      <details className="case-script">
        <summary>{t('As a file for the command line')}</summary>
        <p>
          {t(
            'For a repository, where switchroom test plays it. Its environment variables are those of the application as they are now; secrets are left out.',
          )}
        </p>
        <section
          className="case-script-text"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard
          tabIndex={0}
          aria-label={t('File')}
        >
          <pre>{file}</pre>
        </section>
        <div className="case-script-actions">
          <Button size="small" onClick={() => void copyWithToast(file, t('File'))}>
            <Copy aria-hidden />
            {t('Copy file')}
          </Button>
          <Button size="small" onClick={save}>
            <Download aria-hidden />
            {t('Download file')}
          </Button>
        </div>
      </details>
    </div>
  )
}
