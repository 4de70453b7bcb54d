import { t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { query, send } from '../../lib/api'
import { accounts, users } from '../../lib/endpoints'
import { issueOn, messageOf } from '../../lib/failure'
import { clearSession, SIGNED_OUT, whileEnding } from '../../lib/session'
import { Uses } from '../../lib/uses'
import { Button } from '../../ui/button'
import { showFormErrors } from '../../ui/form-shell'
import { Notice } from '../../ui/notice'
import { DangerZone, Section } from '../../ui/section'
import { PasswordField, TextField } from '../../ui/text-field'
import { Processing } from './processing'
import './delete-own.css'

const MESSAGE = t('delete my account')
const WRONG_MESSAGE = t(
  'You must type the delete message correctly in order to delete your account.',
)

/** For account users, who have no list of accounts to delete theirs from. */
export function DeleteOwnAccount({ account_sid }: { account_sid: string }) {
  // undefined: not opened yet. The focus follows opening and closing
  const [open, setOpen] = useState<boolean>()
  return open ? (
    <DeleteForm account_sid={account_sid} onClose={() => setOpen(false)} />
  ) : (
    <DangerZone
      title={t('Delete Account')}
      autoFocus={open === false}
      onDelete={() => setOpen(true)}
    >
      {t('Everything in the account is deleted, and its users are logged out.')}
    </DangerZone>
  )
}

type FieldErrors = { password?: string | undefined; message?: string; form?: string | undefined }

function DeleteForm({ account_sid, onClose }: { account_sid: string; onClose: () => void }) {
  const me = useQuery(query(users.me, {}))
  // users who log in with OAuth have no password
  const local = me.data?.user.provider === 'local'
  const [password, setPassword] = useState('')
  const [message, setMessage] = useState('')
  const [wrong, setWrong] = useState<FieldErrors>({})
  const [busy, setBusy] = useState(false)
  const box = useRef<HTMLFormElement>(null)

  const refuse = (next: FieldErrors) =>
    showFormErrors(box, () => {
      setWrong(next)
      setBusy(false)
    })
  // not a mutation, which would refetch queries after the session is gone
  const remove = async () => {
    if (message !== MESSAGE) return refuse({ message: WRONG_MESSAGE })
    if (local && !password) return refuse({ password: t('Required') })
    setWrong({})
    setBusy(true)
    try {
      await whileEnding(async () => {
        await send(accounts.remove, { params: { account_sid }, body: local ? { password } : {} })
        clearSession({ text: SIGNED_OUT, good: true })
      })
    } catch (e) {
      const password = issueOn(e, 'password')
      refuse(password ? { password } : { form: messageOf(e) })
    }
  }
  return (
    <Section
      title={t('Delete Account')}
      about={t(
        'Warning! This will permanently delete all of your data from our database. You will not be able to restore your account. You must type “{MESSAGE}” into the Delete Message field.',
        { MESSAGE },
      )}
    >
      <form
        ref={box}
        className="delete-own"
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          if (!busy && me.data) void remove()
        }}
      >
        <Uses kind="account" sid={account_sid} />
        {local && (
          <PasswordField
            label={t('Password')}
            autoFocus
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
            error={wrong.password}
          />
        )}
        <TextField
          label={t('Delete message')}
          autoFocus={!local}
          value={message}
          onChange={setMessage}
          error={wrong.message}
        />
        {(wrong.form || me.error) && (
          <Notice tone="bad">{wrong.form ?? messageOf(me.error)}</Notice>
        )}
        <div className="delete-own-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" look="danger" disabled={!me.data}>
            {t('PERMANENTLY DELETE MY ACCOUNT')}
          </Button>
        </div>
      </form>
      {busy && <Processing />}
    </Section>
  )
}
