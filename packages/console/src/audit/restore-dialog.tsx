import { plural, t } from '@switchroom/contract'
import type { ReactNode } from 'react'
import { Button } from '../ui/button'
import { timeText } from '../ui/dates'
import { Dialog, DialogFoot } from '../ui/dialog'
import { Notice } from '../ui/notice'
import { rich } from '../ui/rich'
import { changeLines } from './change-lines'
import { useNamed } from './names'
import type { Restoration } from './restore'
import { ValuesTable } from './values-table'

/** Confirms a restoration, with the changes it would make. */
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
  const { cell, nameOf } = useNamed(sid, ...changes.map(({ now, then }) => ({ now, then })))
  const of = (which: 'now' | 'then') =>
    Object.fromEntries(changes.map((change) => [change.field, change[which]]))
  const lines = changeLines(of('now'), of('then'), nameOf)
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
        <ValuesTable heads={[t('Now'), t('Restored')]} lines={lines} cell={cell} />
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
