import { t } from '@switchroom/contract'
import { Copy } from 'lucide-react'
import { apiBase } from '../../lib/config'
import { Button } from '../../ui/button'
import { copyWithToast } from '../../ui/copy'
import { rich } from '../../ui/rich'
import { scriptOf } from './script'

const BASE = new URL(apiBase, location.href).href

/** How to run all test cases over the API, such as after a deployment of the application. */
export function RunFromScript({ application_sid }: { application_sid: string }) {
  const script = scriptOf(BASE, application_sid)
  return (
    <details className="case-script">
      <summary>{t('Run from a script')}</summary>
      <p>
        {rich(
          'Runs all test cases, waits until none is running, and fails unless all have passed. Set {variable} to an API key. Needs {curl} and {jq}.',
          {
            variable: <code>SWITCHROOM_API_KEY</code>,
            curl: <code>curl</code>,
            jq: <code>jq</code>,
          },
        )}
      </p>
      <section
        className="case-script-text"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard
        tabIndex={0}
        aria-label={t('Script')}
      >
        <pre>{script}</pre>
      </section>
      <Button size="small" onClick={() => void copyWithToast(script, t('Script'))}>
        <Copy aria-hidden />
        {t('Copy script')}
      </Button>
    </details>
  )
}
