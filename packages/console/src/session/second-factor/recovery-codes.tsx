import { t } from '@switchroom/contract'
import { useState } from 'react'
import { saveFile } from '../../lib/save-file'
import { Button } from '../../ui/button'
import { copyWithToast } from '../../ui/copy'
import { DialogFoot } from '../../ui/dialog'
import { Checkbox } from '../../ui/toggle'

/** New recovery codes, which are shown only here. */
export function RecoveryCodesShown({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const [kept, setKept] = useState(false)
  const text = `${codes.join('\n')}\n`
  return (
    <div className="dialog-body">
      <p>
        {t(
          'Save these recovery codes somewhere safe. Each logs you in once if you lose your app or passkey. They are not shown again.',
        )}
      </p>
      <ul className="recovery-codes" aria-label={t('Recovery codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="button-row">
        <Button size="small" onClick={() => void copyWithToast(text, t('Recovery codes'))}>
          {t('Copy codes')}
        </Button>
        <Button
          size="small"
          onClick={() =>
            saveFile(new Blob([text], { type: 'text/plain' }), 'switchroom-recovery-codes.txt')
          }
        >
          {t('Download codes')}
        </Button>
      </div>
      <Checkbox label={t('I have saved these codes')} value={kept} onChange={setKept} />
      <DialogFoot>
        <Button look="primary" disabled={!kept} onClick={onDone}>
          {t('Done')}
        </Button>
      </DialogFoot>
    </div>
  )
}
