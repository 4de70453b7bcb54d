import { fromServer, t } from '@switchroom/contract'
import { type ReactNode, useState } from 'react'
import { Button } from './button'
import { Dialog, DialogFoot } from './dialog'
import { Notice } from './notice'
import { rich } from './rich'
import { TextField } from './text-field'

/** Resources of one kind that still use another one; `total` may exceed the items listed. */
export type UsedBy = {
  kind: string
  total: number
  items: { sid: string; name: string }[]
}

/**
 * Confirms something destructive. `typeName`: this name must be typed, for resources that hold many others.
 * With `usedBy` it only shows what still uses the resource.
 */
export function ConfirmDialog({
  open,
  onClose,
  title,
  children,
  confirm,
  confirming = `${confirm}…`,
  look = 'danger',
  busy = false,
  disabled = false,
  cancel = t('Cancel'),
  error,
  typeName,
  usedBy,
  onConfirm,
}: {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** Label of the button: "Delete number". */
  confirm: string
  /** The same while it is busy. */
  confirming?: string | undefined
  /** Look of the button; danger unless nothing is lost. */
  look?: 'danger' | 'primary'
  busy?: boolean
  /** While something has to be chosen first. */
  disabled?: boolean
  /** Label of the other button, if it cancels nothing any more. */
  cancel?: string
  error?: ReactNode
  typeName?: string | undefined
  usedBy?: UsedBy[] | undefined
  onConfirm: () => void
}) {
  const [typed, setTyped] = useState('')
  const [wrong, setWrong] = useState(false)
  const close = () => {
    setTyped('')
    setWrong(false)
    onClose()
  }
  const submit = () => {
    if (busy || disabled) return
    if (typeName !== undefined && typed !== typeName) setWrong(true)
    else onConfirm()
  }
  return (
    <Dialog open={open} onClose={close} title={title}>
      <form
        onSubmit={(e) => {
          e.preventDefault()
          submit()
        }}
      >
        <div>{children}</div>
        {usedBy && <UsedByList usedBy={usedBy} />}
        {typeName !== undefined && !usedBy && (
          <TextField
            label={t('Type {name} to confirm', { name: typeName })}
            value={typed}
            onChange={(v) => {
              setTyped(v)
              setWrong(false)
            }}
            error={wrong ? t('Does not match “{name}”', { name: typeName }) : undefined}
          />
        )}
        {error && <Notice tone="bad">{error}</Notice>}
        <DialogFoot>
          <Button onClick={close}>{usedBy ? t('Close') : cancel}</Button>
          {!usedBy && (
            <Button type="submit" look={look} busy={busy} disabled={disabled}>
              {busy ? confirming : confirm}
            </Button>
          )}
        </DialogFoot>
      </form>
    </Dialog>
  )
}

function UsedByList({ usedBy }: { usedBy: UsedBy[] }) {
  return (
    <div className="used-by">
      {usedBy.map((use) => (
        <section key={use.kind}>
          <h3>{`${fromServer(use.kind)} (${use.total})`}</h3>
          <ul>
            {use.items.map((item) => (
              <li key={item.sid}>{item.name}</li>
            ))}
            {use.total > use.items.length && (
              <li>{rich('and {total} more', { total: use.total - use.items.length })}</li>
            )}
          </ul>
        </section>
      ))}
    </div>
  )
}
