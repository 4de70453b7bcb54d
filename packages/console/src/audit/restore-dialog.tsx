import { plural, t } from '@switchroom/contract'
import type { ReactNode } from 'react'
import { Button } from '../ui/button'
import { timeText } from '../ui/dates'
import { Dialog, DialogFoot } from '../ui/dialog'
import { Notice } from '../ui/notice'
import { rich } from '../ui/rich'
import { useValueCells } from './names'
import type { Restoration } from './restore'

/** What a restored version would change. */
export function RestoreDialog({
  sid,
  at,
  restoration: { changes, left },
  busy,
  error,
  onClose,
  onConfirm,
}: {
  sid: string
  at: string
  restoration: Restoration
  busy: boolean
  error: ReactNode
  onClose: () => void
  onConfirm: () => void
}) {
  const cell = useValueCells(sid, ...changes.map(({ now, then }) => ({ now, then })))
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t('Restore the version of {time}', { time: timeText(at) })}
    >
      {changes.length === 0 ? (
        <p>{t('Nothing to restore: all fields that can be restored have these values now.')}</p>
      ) : (
        <table className="audit-values">
          <thead>
            <tr>
              <th scope="col">{t('Field')}</th>
              <th scope="col">{t('Now')}</th>
              <th scope="col">{t('Restored')}</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ field, now, then }) => (
              <tr key={field}>
                <th scope="row">
                  <code>{field}</code>
                </th>
                <td>{cell(now)}</td>
                <td>{cell(then)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {left.length > 0 && (
        <Notice tone="info">
          {rich('Not restored, because the log holds no secrets: {code}', {
            code: <code>{left.join(', ')}</code>,
          })}
        </Notice>
      )}
      {error && <Notice tone="bad">{error}</Notice>}
      <DialogFoot>
        <Button onClick={onClose}>{t('Cancel')}</Button>
        {changes.length > 0 && (
          <Button look="primary" busy={busy} onClick={onConfirm}>
            {plural(changes.length, 'Restore 1 field|Restore {n} fields')}
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  )
}
