import { t } from '@switchroom/contract'
import type { ReactNode } from 'react'
import { TextField } from '../../ui/text-field'

/** A code from an authenticator app, which browsers and password managers can fill in. */
export const CodeField = ({
  value,
  onChange,
  error,
  help,
}: {
  value: string
  onChange: (code: string) => void
  error?: ReactNode
  help?: ReactNode
}) => (
  <TextField
    label={t('Code from your app')}
    name="code"
    inputMode="numeric"
    autoComplete="one-time-code"
    maxLength={7}
    autoFocus
    mono
    value={value}
    onChange={onChange}
    error={error}
    help={help}
  />
)
