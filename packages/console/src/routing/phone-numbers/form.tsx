import { asStored, type PhoneNumberView, t, typedNumberProblem } from '@switchroom/contract'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { ownAccount } from '../../lib/access'
import { query } from '../../lib/api'
import { DeleteZone } from '../../lib/delete-zone'
import { phoneNumbers, voipCarriers } from '../../lib/endpoints'
import { useApiForm } from '../../lib/form'
import { Form } from '../../lib/form-dialog'
import { type FormLike, formLike } from '../../lib/form-like'
import { RequirePrerequisites } from '../../lib/needs'
import { accountIssues } from '../../lib/needs-account'
import { usePhoneFormat } from '../../lib/phone-format'
import { AccountField, ApplicationField, CarrierField } from '../../lib/picker-fields'
import { EditHead } from '../../lib/thing-head'
import { useCapabilities } from '../../lib/use-capabilities'
import { Fact, Facts } from '../../ui/facts'
import { PageHeader } from '../../ui/page-header'
import { rich } from '../../ui/rich'
import { Sid } from '../../ui/sid'
import { toastSuccess } from '../../ui/toast'
import { DeletePhoneNumber } from './delete'
import { mayAddAndDelete, NEEDED } from './may'
import { viewOf } from './queries'

const LIST = '/internal/phone-numbers'
export const route = getRouteApi('/internal/phone-numbers/$phone_number_sid/edit')

/** Only our server stores a description. */
const withDescription = <V extends { description: string }>(
  { description, ...rest }: V,
  ours: boolean,
) => (ours ? { ...rest, description } : rest)

function numberIssues({ number }: { number: string }) {
  const message = typedNumberProblem(asStored(number.trim()))
  return message ? [{ path: ['number'], message }] : []
}

const Description = ({ form }: { form: FormLike }) => (
  <form.TextField
    name="description"
    label={t('Description')}
    optional
    help={t('For your own reference. Callers never see it.')}
  />
)

export const NewPhoneNumber = () => (
  <>
    <PageHeader title={t('Add a phone number')} />
    <RequirePrerequisites {...NEEDED}>
      <Add />
    </RequirePrerequisites>
  </>
)

export function Add() {
  const ours = !!useCapabilities()
  const navigate = useNavigate()
  const form = useApiForm({
    endpoint: phoneNumbers.create,
    defaultValues: {
      number: '',
      account_sid: ownAccount() ?? '',
      voip_carrier_sid: '',
      application_sid: '',
      description: '',
    },
    // the API accepts a number without an account, and dots as a pattern
    check: (v) => [
      ...numberIssues(v),
      ...accountIssues(v),
      ...(v.voip_carrier_sid
        ? []
        : [{ path: ['voip_carrier_sid'], message: t('Choose a carrier') }]),
    ],
    // the API takes no spaces, as on the platform; people type numbers as this console prints them
    toSend: ({ number, ...values }) => ({
      body: { ...withDescription(values, ours), number: asStored(number.trim()) },
    }),
    onDone: () => {
      toastSuccess(t('Phone number created successfully'))
      return navigate({ to: LIST })
    },
  })
  // the application belongs to another account
  const changeAccount = () => {
    form.setFieldValue('voip_carrier_sid', '')
    form.setFieldValue('application_sid', '')
  }
  return (
    <Form form={form} isNew cancelHref={LIST}>
      <form.TextField
        name="number"
        label={t('Phone number')}
        inputMode="tel"
        mono
        placeholder={t('Phone number that will be sending calls to this service')}
        help={t('As the carrier sends it, including the country code.')}
      />
      {!ownAccount() && (
        <form.AppField name="account_sid">
          {() => <AccountField onChange={changeAccount} none={NEEDED.account} />}
        </form.AppField>
      )}
      <form.Subscribe selector={(s) => s.values.account_sid}>
        {(account_sid) => (
          <>
            <form.AppField name="voip_carrier_sid">
              {() => <CarrierField account_sid={account_sid} none={NEEDED.carrier} />}
            </form.AppField>
            <form.AppField name="application_sid">
              {() => <ApplicationField account_sid={account_sid} optional />}
            </form.AppField>
          </>
        )}
      </form.Subscribe>
      {ours && <Description form={formLike(form)} />}
    </Form>
  )
}

export function EditPhoneNumber() {
  const { phone_number_sid } = route.useParams()
  const { data } = useSuspenseQuery(viewOf(phone_number_sid))
  return <Edit key={phone_number_sid} number={data} />
}

const valuesOf = (number: PhoneNumberView) => ({
  account_sid: number.account_sid ?? '',
  application_sid: number.application_sid ?? '',
  description: number.description ?? '',
})

export function Edit({ number }: { number: PhoneNumberView }) {
  const ours = !!useCapabilities()
  const format = usePhoneFormat([number.number])
  const form = useApiForm({
    endpoint: phoneNumbers.update,
    defaultValues: valuesOf(number),
    edits: { version: number.version, valuesOf },
    toSend: (values) => ({
      params: { phone_number_sid: number.phone_number_sid },
      body: withDescription(values, ours),
    }),
    onDone: (_, __, undo) => toastSuccess(t('Phone number updated successfully'), undo),
  })
  return (
    <>
      <EditHead
        kind="phone_number"
        sid={number.phone_number_sid}
        name={format(number.number)}
        owner={number}
        title={t('Edit phone number')}
      />
      <Form
        form={form}
        cancelHref={LIST}
        aside={
          <Facts>
            <Fact name={t('Phone number')}>
              <span className="numbers">{format(number.number)}</span>
            </Fact>
            <Fact name={t('Stored as')}>
              <code>{number.number}</code>
            </Fact>
            <Fact name={t('Carrier')}>
              <CarrierName sid={number.voip_carrier_sid} />
            </Fact>
            <Fact name={t('Phone number SID')}>
              <Sid sid={number.phone_number_sid} />
            </Fact>
          </Facts>
        }
      >
        {!ownAccount() && (
          <form.AppField name="account_sid">
            {() => (
              <AccountField
                optional
                placeholder={t('Unassigned')}
                onChange={() => form.setFieldValue('application_sid', '')}
              />
            )}
          </form.AppField>
        )}
        <form.Subscribe selector={(s) => s.values.account_sid}>
          {(account_sid) => (
            <form.AppField name="application_sid">
              {() => (
                <ApplicationField
                  account_sid={account_sid}
                  optional
                  help={t(
                    'Answers calls to this number. To change the number or its carrier, delete the number and add it again.',
                  )}
                />
              )}
            </form.AppField>
          )}
        </form.Subscribe>
        {ours && <Description form={formLike(form)} />}
      </Form>
      {mayAddAndDelete() && (
        <DeleteZone
          title={t('Delete phone number')}
          next={LIST}
          dialog={(callbacks) => <DeletePhoneNumber number={number} {...callbacks} />}
        >
          {rich('Calls to {format} will no longer be answered.', { format: format(number.number) })}
        </DeleteZone>
      )}
    </>
  )
}

function CarrierName({ sid }: { sid: string | null }) {
  const carrier = useQuery({
    ...query(voipCarriers.view, { params: { voip_carrier_sid: sid ?? '' } }),
    enabled: sid !== null,
  })
  if (!sid) return <span className="none">{t('None')}</span>
  return carrier.data ? carrier.data.name : <Sid sid={sid} />
}
