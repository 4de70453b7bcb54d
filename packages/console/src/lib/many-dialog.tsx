import { numberText, t } from '@switchroom/contract'
import type { ReactNode } from 'react'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { toastSuccess } from '../ui/toast'
import type { Endpoint, Reply, Sent } from './endpoints'
import { ManyProgress } from './many-progress'
import type { Noun } from './many-text'
import { RefusedRows } from './refused-rows'
import type { ManyProps } from './selection-actions'
import { useMany } from './use-many'

/** With more than this, what cannot be undone asks for the number to be typed. */
const MANY = 100

/** Changes or deletes a selection once that is confirmed: all of it or, with the reasons, nothing. */
export function ManyDialog<E extends Endpoint & { tellsProgress: true }>({
  endpoint,
  sent,
  count,
  noun,
  title,
  changing,
  done,
  danger = false,
  children,
  onClose,
  onDone,
}: Omit<ManyProps<never>, 'select'> & {
  endpoint: E
  /** Undefined until everything is chosen. */
  sent: Sent<E> | undefined
  noun: Noun
  /** "Delete 2,000 SIP clients" */
  title: string
  /** Button text while the change runs, if not the default. */
  changing?: string | undefined
  /** The report of a reply: "2,000 SIP clients deleted". */
  done: (reply: Reply<E>) => string
  /** True if the change cannot be undone. */
  danger?: boolean
  children: ReactNode
}) {
  const change = useMany(endpoint, (reply, undo) => {
    toastSuccess(done(reply), undo)
    onClose()
    onDone()
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title}
      confirm={title}
      confirming={changing}
      look={danger ? 'danger' : 'primary'}
      busy={change.isPending}
      disabled={!sent}
      {...(change.progress && { cancel: t('Close') })}
      typeName={danger && count > MANY ? String(count) : undefined}
      error={change.error && <RefusedRows error={change.error} />}
      onConfirm={() => sent && change.mutate(sent)}
    >
      <div className="dialog-body">
        {children}
        <ManyProgress progress={change.progress} noun={noun} />
        {change.progress && <p className="hint">{t('Closing this dialog does not stop it.')}</p>}
      </div>
    </ConfirmDialog>
  )
}

/** "2,000 SIP clients updated, 3 unchanged". `updated` is the first half. */
export const updatedText =
  (count: number, updated: (changed: number) => string) =>
  ({ changed }: { changed: number }) =>
    changed === count
      ? updated(changed)
      : t('{updated}, {rest} unchanged', {
          updated: updated(changed),
          rest: numberText(count - changed),
        })
