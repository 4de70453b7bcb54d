import { t } from '@switchroom/contract'
import { atLeast, mayWrite, ownAccount } from '../lib/access'
import { config } from '../lib/config'
import type { FormLike } from '../lib/form-like'
import { AccountField } from '../lib/picker-fields'
import { Section } from '../ui/section'
import { PasswordRules } from './password-rules'
import { roles } from './scope'
import { asksForProof, offersManaging, type Values } from './values'

/** In the hosted variant account users can change their email only with a verification code. */
const isEmailLocked = () => config.ENABLE_HOSTED_SYSTEM && !!ownAccount()
const LOCKED_EMAIL = { readOnly: true, help: t('Used to log in. You cannot change it here.') }

/** The fields of a user. The scope is shown to those who may assign more than one. */
export function Fields({
  form,
  isNew,
  hasPassword = true,
  oneself = false,
}: {
  form: FormLike<Values>
  isNew: boolean
  oneself?: boolean
  /** False for users who log in with another service. */
  hasPassword?: boolean
}) {
  return (
    <>
      <Section title={t('Access')}>
        {atLeast('service_provider') && (
          <form.SelectField name="scope" label={t('Scope')} options={roles()} />
        )}
        {!ownAccount() && (
          <form.Subscribe selector={(s) => s.values.scope === 'account'}>
            {(ofAccount) =>
              ofAccount && (
                <form.AppField name="account_sid">
                  {() => <AccountField none={t('No accounts.')} />}
                </form.AppField>
              )
            }
          </form.Subscribe>
        )}
        {!isNew && (
          <form.Switch
            name="is_active"
            label={t('User is active')}
            help={t('An inactive user cannot log in.')}
          />
        )}
        <form.Switch
          name="is_view_only"
          label={t('View-only user')}
          help={t('Can see everything in scope but change nothing.')}
        />
        <form.Subscribe selector={(s) => offersManaging(s.values)}>
          {(offered) =>
            offered && (
              <form.Switch
                name="manages_users"
                label={t('Manages users')}
                help={t('Can add, change and delete the other users of the account.')}
              />
            )
          }
        </form.Subscribe>
      </Section>
      <Section title={t('User')}>
        <form.TextField name="name" label={t('Username')} placeholder={t('Username')} />
        <form.TextField
          name="email"
          label={t('Email')}
          type="email"
          placeholder={t('Email')}
          {...(!isNew && isEmailLocked() && LOCKED_EMAIL)}
        />
        {mayWrite() && hasPassword && <NewPassword form={form} isNew={isNew} oneself={oneself} />}
      </Section>
    </>
  )
}

/** Sets a new password; hidden from those who may not set one. */
function NewPassword({
  form,
  isNew,
  oneself,
}: {
  form: FormLike<Values>
  isNew: boolean
  oneself: boolean
}) {
  return (
    <>
      <form.PasswordField
        name="initial_password"
        label={t('Temporary password')}
        autoComplete="new-password"
        optional={!isNew}
        help={
          <>
            {!isNew && <p>{t('Leave blank to keep the current password.')}</p>}
            <PasswordRules />
          </>
        }
      />
      <form.Subscribe selector={(s) => !isNew && !oneself && asksForProof(s.values)}>
        {(isForced) =>
          isForced ? (
            <p className="field-help">
              {t('The user must choose a new password at the next log-in.')}
            </p>
          ) : (
            <form.Checkbox name="force_change" label={t('Force change of password')} />
          )
        }
      </form.Subscribe>
    </>
  )
}
