import { t } from '@switchroom/contract'
import { useNavigate } from '@tanstack/react-router'
import { customers } from '../../lib/endpoints'
import { useApiForm } from '../../lib/form'
import { FormDialog } from '../../lib/form-dialog'
import { formLike } from '../../lib/form-like'
import { thingHref } from '../../lib/thing-href'
import { useCurrentProvider } from '../../lib/use-provider'
import { Columns } from '../../ui/section'
import { toastSuccess } from '../../ui/toast'
import { LimitFields, limitsToSend, limitValues } from '../limit-fields'
import './new-customer.css'

const EMPTY = {
  name: '',
  sip_realm: '',
  limits: limitValues([]),
  user: { name: '', email: '', initial_password: '' },
  application: { name: '', call_hook: { url: '' }, call_status_hook: { url: '' } },
  numbers: '',
}

const isFilled = (part: object): boolean =>
  Object.values(part).some((value) => (typeof value === 'object' ? isFilled(value) : value))

/** All that a new customer needs, added at once or not at all. */
export function NewCustomer({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const service_provider_sid = useCurrentProvider()
  const form = useApiForm({
    endpoint: customers.create,
    dialog: 'new-customer',
    defaultValues: EMPTY,
    toSend: ({ name, sip_realm, limits, user, application, numbers }) => ({
      body: {
        name,
        service_provider_sid,
        ...(sip_realm && { sip_realm }),
        limits: limitsToSend(limits),
        user: isFilled(user) ? user : null,
        application: isFilled(application) ? application : null,
        numbers: numbers.split(/[\n,;]+/).filter((number) => number.trim()),
      },
    }),
    // a number is one of several lines
    fieldFor: (path) => (path[0] === 'numbers' ? ['numbers'] : path),
    onDone: ({ account_sid }, { name }) => {
      toastSuccess(t('Added {name}', { name }))
      void navigate({ href: thingHref('account', account_sid) })
    },
  })
  const fields = formLike(form)
  return (
    <FormDialog
      form={form}
      wide
      isNew
      title={t('New customer')}
      submit={t('Add customer')}
      submitting={t('Adding…')}
      onClose={onClose}
    >
      <Columns>
        <fields.TextField name="name" label={t('Account name')} maxLength={64} />
        <fields.TextField
          name="sip_realm"
          label={t('SIP realm')}
          optional
          mono
          placeholder="customer.sip.example.com"
        />
      </Columns>
      <LimitFields form={fields} />
      <fieldset className="customer-part">
        <legend>{t('First user')}</legend>
        <Columns>
          <fields.TextField name="user.name" label={t('Username')} optional maxLength={255} />
          <fields.TextField
            name="user.email"
            label={t('Email')}
            optional
            type="email"
            maxLength={255}
          />
        </Columns>
        <fields.PasswordField
          name="user.initial_password"
          label={t('Temporary password')}
          help={t('The user chooses another one at the first log-in.')}
          optional
          autoComplete="new-password"
        />
      </fieldset>
      <fieldset className="customer-part">
        <legend>{t('What answers their calls')}</legend>
        <fields.TextField
          name="application.name"
          label={t('Application name')}
          optional
          maxLength={64}
        />
        <Columns>
          <fields.TextField
            name="application.call_hook.url"
            label={t('Calling webhook')}
            optional
            mono
            placeholder="https://"
          />
          <fields.TextField
            name="application.call_status_hook.url"
            label={t('Call status webhook')}
            optional
            mono
            placeholder="https://"
          />
        </Columns>
        <fields.TextArea
          name="numbers"
          label={t('Phone numbers')}
          help={t(
            'One per line. They must not belong to an account yet. The application answers them.',
          )}
          optional
          mono
          rows={3}
        />
      </fieldset>
    </FormDialog>
  )
}
