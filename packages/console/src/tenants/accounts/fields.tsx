import { type AccountView, RECORD_FORMATS, t } from '@switchroom/contract'
import { Link } from '@tanstack/react-router'
import { atLeast, mayWrite } from '../../lib/access'
import { config } from '../../lib/config'
import type { FormLike } from '../../lib/form-like'
import { linkTo } from '../../lib/link-to'
import { ApplicationField } from '../../lib/picker-fields'
import { buttonClass } from '../../ui/button'
import { Section } from '../../ui/section'
import { TextField } from '../../ui/text-field'
import { LimitFields } from '../limit-fields'
import { WebhookFields } from '../webhook-fields'
import { BucketFields } from './bucket-fields'
import { type AccountValues, hasLimits, QUEUE_METHODS } from './values'
import './sip-realm.css'

const REALM_HELP = t('The domain name that SIP devices will register with')

/** The fields of a new or stored account. */
export function AccountFields({
  form,
  account,
}: {
  form: FormLike<AccountValues>
  account?: AccountView
}) {
  return (
    <>
      <Section title={t('General')}>
        <form.TextField name="name" label={t('Account name')} />
        {config.ENABLE_HOSTED_SYSTEM && account ? (
          <HostedRealm account={account} />
        ) : (
          <form.TextField
            name="sip_realm"
            label={t('SIP realm')}
            optional
            mono
            placeholder="sip.example.com"
            help={REALM_HELP}
          />
        )}
        {atLeast('service_provider') && (
          <form.Switch
            name="is_active"
            label={t('Active')}
            help={t('Calls of an inactive account are rejected.')}
          />
        )}
        {hasLimits() && <LimitFields form={form} />}
      </Section>
      <Section
        title={t('Webhooks')}
        about={t("Called by the platform while it handles this account's calls.")}
      >
        <WebhookFields
          form={form}
          name="registration_hook"
          label={t('Registration webhook')}
          placeholder="https://example.com/register"
          help={t('Authenticates SIP devices that register or call.')}
          optional
        />
        <WebhookFields
          form={form}
          name="queue_event_hook"
          label={t('Queue event webhook')}
          placeholder="https://example.com/queue"
          help={t('Notified when calls enter and leave queues.')}
          methods={QUEUE_METHODS}
          optional
        />
      </Section>
      {account && <CallFields form={form} account={account} />}
      {!config.DISABLE_CALL_RECORDING && <RecordingFields form={form} account={account} />}
      {atLeast('admin') && (
        <Section title={t('Diagnostics')}>
          <form.Checkbox
            name="enable_debug_log"
            label={t('Enable debug log for this account')}
            help={t('You can enable debug log for calls only to this account')}
          />
        </Section>
      )}
    </>
  )
}

/** Read-only: it is changed on a page of its own. */
const HostedRealm = ({ account }: { account: AccountView }) => (
  <div className="hosted-realm">
    <TextField
      label={t('SIP realm')}
      mono
      readOnly
      value={account.sip_realm ?? ''}
      placeholder={t('None')}
      onChange={() => undefined}
      help={REALM_HELP}
    />
    {mayWrite() && (
      <Link
        {...linkTo('/internal/accounts/$account_sid/sip-realm/edit')}
        params={{ account_sid: account.account_sid }}
        className={buttonClass()}
      >
        {t('Change SIP Realm')}
      </Link>
    )}
  </div>
)

const optionOf = (value: string | null, label: string | null | undefined) =>
  value && label ? { value, label } : undefined

const CallFields = ({ form, account }: { form: FormLike; account: AccountView }) => (
  <Section title={t('Calls')}>
    <form.AppField name="device_calling_application_sid">
      {() => (
        <ApplicationField
          label={t('Application for SIP device calls')}
          account_sid={account.account_sid}
          stored={optionOf(
            account.device_calling_application_sid,
            account.device_calling_application_name,
          )}
          optional
          placeholder={t('None')}
          help={t(
            "This application is used to handle incoming calls from SIP users who have registered to the Account's SIP Realm.",
          )}
        />
      )}
    </form.AppField>
    <form.AppField name="siprec_hook_sid">
      {() => (
        <ApplicationField
          label={t('Application for SIPREC calls')}
          account_sid={account.account_sid}
          stored={optionOf(account.siprec_hook_sid, account.siprec_hook_name)}
          optional
          placeholder={t('None')}
        />
      )}
    </form.AppField>
  </Section>
)

const FORMATS = RECORD_FORMATS.map((v) => ({ value: v, label: v }))

const RecordingFields = ({
  form,
  account,
}: {
  form: FormLike<AccountValues>
  account: AccountView | undefined
}) => (
  <Section
    title={t('Recording')}
    about={t('Turning this off stops recording and removes the bucket settings.')}
  >
    <form.AppField name="recording">
      {(f) => (
        <f.Checkbox label={t('Enable call recording')}>
          <form.SelectField name="record_format" label={t('Audio format')} options={FORMATS} />
          <BucketFields
            form={form}
            stored={account?.bucket_credential ?? null}
            account_sid={account?.account_sid}
          />
          <form.Checkbox
            name="record_all_calls"
            label={t('Record all calls for this account')}
            help={t('You can also record calls only to specific applications')}
          />
        </f.Checkbox>
      )}
    </form.AppField>
  </Section>
)
