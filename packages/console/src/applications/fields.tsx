import { t } from '@switchroom/contract'
import { useRef } from 'react'
import { ownAccount } from '../lib/access'
import { config } from '../lib/config'
import type { FormLike } from '../lib/form-like'
import { NEEDS_ACCOUNT } from '../lib/needs-account'
import { AccountField } from '../lib/picker-fields'
import { useChosenAccount } from '../lib/pickers'
import { isSocket, WebhookFields } from '../tenants/webhook-fields'
import { Section } from '../ui/section'
import { AppJson } from './app-json'
import { EnvVars } from './env-vars'
import { Speech } from './speech'
import type { Values } from './values'
import './form.css'

export const Fields = ({ form }: { form: FormLike<Values> }) => (
  <>
    <Section title={t('General')}>
      <form.TextField
        name="name"
        label={t('Application name')}
        placeholder={t('Application name')}
      />
      {!ownAccount() && (
        <form.AppField name="account_sid">
          {() => <AccountField none={NEEDS_ACCOUNT.application} />}
        </form.AppField>
      )}
    </Section>
    <Webhooks form={form} />
    <EnvVars form={form} />
    <Speech form={form} />
    {!config.DISABLE_CALL_RECORDING && (
      <Section title={t('Recording')}>
        <form.Subscribe selector={(s) => s.values.account_sid}>
          {(account_sid) => <Recording form={form} account_sid={account_sid} />}
        </form.Subscribe>
      </Section>
    )}
  </>
)

function Webhooks({ form }: { form: FormLike<Values> }) {
  const copied = useRef('')
  const followSocket = (url: string) => {
    const status = form.getFieldValue('call_status_hook').url
    // a WebSocket also carries call status
    if (!isSocket(url) || (status !== '' && !isSocket(status))) return
    copied.current = url
    form.setFieldValue('call_status_hook.url', url)
  }
  return (
    <Section
      title={t('Webhooks')}
      about={t('Where we fetch call instructions and send call status.')}
    >
      <WebhookFields
        form={form}
        name="call_hook"
        label={t('Calling webhook')}
        placeholder="https://example.com/call"
        onUrl={followSocket}
      />
      <WebhookFields
        form={form}
        name="call_status_hook"
        label={t('Call status webhook')}
        placeholder="https://example.com/status"
        isSuggested={(url) => url !== '' && url === copied.current}
      />
      <AppJson form={form} />
    </Section>
  )
}

function Recording({ form, account_sid }: { form: FormLike<Values>; account_sid: string }) {
  if (useChosenAccount(account_sid)?.record_all_calls)
    return <p className="field-help">{t('The account already records all calls.')}</p>
  return <form.Checkbox name="record_all_calls" label={t('Record all calls')} />
}
