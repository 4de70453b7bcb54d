import { t } from '@switchroom/contract'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { copyText, toastNotCopied } from './copy'
import { Fact, Facts } from './facts'
import { Tooltip } from './tooltip'
import './sid.css'

const short = (sid: string) => (sid.length > 12 ? `${sid.slice(0, 4)}…${sid.slice(-4)}` : sid)

/** A shortened sid: full on hover and focus, copied by a click. */
export function Sid({ sid }: { sid: string }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    if (!(await copyText(sid))) return toastNotCopied(sid)
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <Tooltip text={<code>{sid}</code>}>
      <button
        type="button"
        className="sid"
        aria-label={t('Copy {short}: {sid}', { short: short(sid), sid })}
        onClick={() => void copy()}
      >
        <span className={copied ? 'sid-gone' : undefined}>{short(sid)}</span>
        {copied && (
          <span className="sid-copied" role="status">
            <Check aria-hidden /> {t('Copied')}
          </span>
        )}
      </button>
    </Tooltip>
  )
}

/** A resource's sid, beside its form. */
export const SidFact = ({ name, sid }: { name: string; sid: string }) => (
  <Facts>
    <Fact name={name}>
      <Sid sid={sid} />
    </Fact>
  </Facts>
)
