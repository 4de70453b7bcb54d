import { PasswordField } from '../ui/text-field'
import { useCapsLock } from './caps-lock'

/** A new password, typed twice. */
export function NewPasswordFields({
  password,
  onPassword,
  confirm,
  onConfirm,
}: {
  password: string
  onPassword: (password: string) => void
  confirm: string
  onConfirm: (password: string) => void
}) {
  const caps = useCapsLock()
  return (
    <>
      <PasswordField
        label="New password"
        autoComplete="new-password"
        autoFocus
        value={password}
        onChange={onPassword}
        help={caps.help}
        {...caps.keys}
      />
      <PasswordField
        label="Confirm new password"
        autoComplete="new-password"
        value={confirm}
        onChange={onConfirm}
        {...caps.keys}
      />
    </>
  )
}
