import { t } from '@switchroom/contract'
import type { ReactNode } from 'react'
import { issueOn, messageOf } from '../lib/failure'
import { Notice } from '../ui/notice'
import { PasswordField } from '../ui/text-field'
import { useCapsLock } from './caps-lock'

/** Errors of a new password by field; `form` has those that concern neither. */
export type PasswordErrors = { password?: ReactNode; confirm?: string; form?: string }

/** An error of the server: at the field if it is about the password. */
export function passwordErrors(error: unknown): PasswordErrors {
  const password = issueOn(error, 'new_password')
  return password ? { password } : { form: messageOf(error) }
}

/** A new password, typed twice. */
export function NewPasswordFields({
  password,
  onPassword,
  confirm,
  onConfirm,
  errors,
}: {
  password: string
  onPassword: (password: string) => void
  confirm: string
  onConfirm: (password: string) => void
  errors: PasswordErrors
}) {
  const caps = useCapsLock()
  return (
    <>
      <PasswordField
        label={t('New password')}
        autoComplete="new-password"
        autoFocus
        value={password}
        onChange={onPassword}
        help={caps.help}
        error={errors.password}
        {...caps.keys}
      />
      <PasswordField
        label={t('Confirm new password')}
        autoComplete="new-password"
        value={confirm}
        onChange={onConfirm}
        error={errors.confirm}
        {...caps.keys}
      />
      {errors.form && <Notice tone="bad">{errors.form}</Notice>}
    </>
  )
}
