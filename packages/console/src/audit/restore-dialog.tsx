import type { ReactNode } from 'react'
import { Button } from '../ui/button'
import { timeText } from '../ui/dates'
import { Dialog, DialogFoot } from '../ui/dialog'
import { Notice } from '../ui/notice'
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
    <Dialog open wide onClose={onClose} title={`Restore the version of ${timeText(at)}`}>
      {changes.length === 0 ? (
        <p>Nothing to restore: all fields that can be restored have these values now.</p>
      ) : (
        <table className="audit-values">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Now</th>
              <th scope="col">Restored</th>
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
          Not restored, because the log holds no secrets: <code>{left.join(', ')}</code>
        </Notice>
      )}
      {error && <Notice tone="bad">{error}</Notice>}
      <DialogFoot>
        <Button onClick={onClose}>Cancel</Button>
        {changes.length > 0 && (
          <Button look="primary" busy={busy} onClick={onConfirm}>
            {changes.length === 1 ? 'Restore 1 field' : `Restore ${changes.length} fields`}
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  )
}
