import { MODEL_PRICES_MAX, type ModelPrice, type ModelSessions, t } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Plus, Trash2 } from 'lucide-react'
import { queryClient } from '../../lib/api'
import { modelSessions } from '../../lib/endpoints'
import { useApiForm } from '../../lib/form'
import { Form } from '../../lib/form-dialog'
import { useListField } from '../../lib/form-fields'
import { type FormLike, formLike } from '../../lib/form-like'
import { removeRow } from '../../lib/form-rows'
import { thingHref } from '../../lib/thing-href'
import { newKey } from '../../lib/unset'
import * as accounts from '../../tenants/accounts/queries'
import { Button, IconButton } from '../../ui/button'
import { useReadOnly } from '../../ui/field'
import { PageHeader } from '../../ui/page-header'
import { Columns, Section } from '../../ui/section'
import { toastSuccess } from '../../ui/toast'
import { Address } from './address'
import sheet from './model-sessions.css?url'
import { refusedOf, viewOf } from './queries'

const route = getRouteApi('/internal/accounts/$account_sid/model-sessions')

export const load = ({ account_sid }: { account_sid: string }) =>
  Promise.all([
    queryClient.ensureQueryData(viewOf(account_sid)),
    queryClient.ensureQueryData(refusedOf(account_sid)),
    queryClient.ensureQueryData(accounts.viewOf(account_sid)),
  ])

type Row = ModelPrice & { key: string }
type Values = { currency: string; prices: Row[] }
type Stored = ModelSessions & { version?: string | undefined }

const valuesOf = ({ currency, prices }: Pick<ModelSessions, 'currency' | 'prices'>): Values => ({
  currency,
  prices: prices.map((price, i) => ({ ...price, key: String(i) })),
})

const blank = (): Row => ({
  ...{ key: newKey(), model: '', input: null, cached_input: null, output: null },
  ...{ minute: null, characters: null },
})

/** Address for events of an account's model sessions, and prices of its models. */
export function EditModelSessions() {
  const { account_sid } = route.useParams()
  const { data } = useSuspenseQuery(viewOf(account_sid))
  return <Edit key={account_sid} account_sid={account_sid} stored={data} />
}

function Edit({ account_sid, stored }: { account_sid: string; stored: Stored }) {
  const { data: account } = useSuspenseQuery(accounts.viewOf(account_sid))
  const form = useApiForm({
    endpoint: modelSessions.update,
    defaultValues: valuesOf(stored),
    edits: { version: stored.version, valuesOf },
    toSend: ({ currency, prices }) => ({
      params: { account_sid },
      body: { currency, prices: prices.map(({ key: _, ...price }) => price) },
    }),
    onDone: () => toastSuccess(t('Prices updated')),
  })
  return (
    <>
      <link rel="stylesheet" href={sheet} precedence="page" />
      <PageHeader title={t('Model sessions of {name}', { name: account.name })} />
      <Address account_sid={account_sid} settings={stored} />
      <Form form={form} cancelHref={thingHref('account', account_sid)}>
        <Section
          title={t('Prices')}
          about={t(
            'What models cost you, from which the cost of calls and turns follows. The most specific price applies: of the model’s name, of how it begins, of its vendor, or the one without a model. Blank amounts are free. Without a price, no cost is shown.',
          )}
        >
          <form.TextField name="currency" label={t('Currency')} mono placeholder="USD" />
          <form.AppField name="prices">{() => <ListField />}</form.AppField>
          <form.Subscribe selector={(s) => s.values.prices}>
            {(rows) => <PriceRows form={formLike(form)} rows={rows} />}
          </form.Subscribe>
        </Section>
      </Form>
    </>
  )
}

/** Renders nothing: names the list for the conflict dialog. */
function ListField() {
  useListField<Row>(
    t('Prices'),
    (rows) => rows.map(({ model }) => model || t('All other models')).join(', ') || t('None'),
  )
  return null
}

const AMOUNTS = [
  ['input', t('Per million tokens in')],
  ['cached_input', t('Per million cached tokens in')],
  ['output', t('Per million tokens out')],
  ['minute', t('Per minute')],
  ['characters', t('Per million characters said')],
] as const

function PriceRows({ form, rows }: { form: FormLike<Values>; rows: readonly Row[] }) {
  const readOnly = useReadOnly()
  return (
    <div className="model-prices">
      {rows.map(({ key, model }, i) => (
        <fieldset
          key={key}
          className="model-price"
          aria-label={t('Price {place}', { place: i + 1 })}
        >
          <form.TextField
            name={`prices[${i}].model`}
            label={t('Model or vendor')}
            mono
            placeholder={t('All other models')}
            optional
          />
          <Columns>
            {AMOUNTS.map(([name, label]) => (
              <form.NumberField
                key={name}
                name={`prices[${i}].${name}`}
                label={label}
                min={0}
                decimals
                optional
              />
            ))}
          </Columns>
          {!readOnly && (
            <IconButton
              label={t('Remove price {name}', { name: model || i + 1 })}
              onClick={() => removeRow(form as unknown as FormLike, 'prices', i)}
            >
              <Trash2 />
            </IconButton>
          )}
        </fieldset>
      ))}
      {!readOnly && rows.length < MODEL_PRICES_MAX && (
        <Button size="small" onClick={() => form.setFieldValue('prices', [...rows, blank()])}>
          <Plus aria-hidden />
          {t('Add price')}
        </Button>
      )}
    </div>
  )
}
