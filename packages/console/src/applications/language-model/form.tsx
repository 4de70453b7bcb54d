import { type LanguageModel, t } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { mayWrite } from '../../lib/access'
import { queryClient } from '../../lib/api'
import { languageModel } from '../../lib/endpoints'
import { useApiForm } from '../../lib/form'
import { Form } from '../../lib/form-dialog'
import { thingHref } from '../../lib/thing-href'
import * as accounts from '../../tenants/accounts/queries'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { Section } from '../../ui/section'
import { toastSuccess } from '../../ui/toast'
import { viewOf } from './queries'
import { TestModel } from './test'

export const route = getRouteApi('/internal/accounts/$account_sid/language-model')

export const load = ({ account_sid }: { account_sid: string }) =>
  Promise.all([
    queryClient.ensureQueryData(viewOf(account_sid)),
    queryClient.ensureQueryData(accounts.viewOf(account_sid)),
  ])

type Values = { url: string; model: string; api_key: string | undefined }

const valuesOf = ({ url, model, api_key }: LanguageModel): Values => ({
  url: url ?? '',
  model: model ?? '',
  api_key: api_key ? undefined : '',
})

/** The language model of an account, which plays callers and grades runs. */
export function EditLanguageModel() {
  const { account_sid } = route.useParams()
  const { data } = useSuspenseQuery(viewOf(account_sid))
  return <Edit key={account_sid} account_sid={account_sid} stored={data} />
}

export function Edit({
  account_sid,
  stored,
}: {
  account_sid: string
  stored: LanguageModel & { version?: string | undefined }
}) {
  const { data: account } = useSuspenseQuery(accounts.viewOf(account_sid))
  const overview = thingHref('account', account_sid)
  const isSet = stored.url !== null
  const form = useApiForm({
    endpoint: languageModel.update,
    defaultValues: valuesOf(stored),
    edits: { version: stored.version, valuesOf },
    toSend: ({ url, model, api_key }) => ({
      params: { account_sid },
      body: { url, model, api_key },
    }),
    onDone: () => toastSuccess(t('Language model updated successfully')),
  })
  return (
    <>
      <PageHeader title={t('Language model of {name}', { name: account.name })}>
        {isSet && mayWrite() && <TestModel key={stored.version} account_sid={account_sid} />}
      </PageHeader>
      <Form form={form} cancelHref={overview}>
        <Section
          title={t('Chat completions')}
          about={t(
            'Plays simulated callers and grades their conversations. What applications say to them is sent to this address, and whoever runs it charges for it. Without one, nothing is sent.',
          )}
        >
          {!isSet && <Notice tone="info">{t('The account has no language model yet')}</Notice>}
          <form.TextField
            name="url"
            label={t('Address')}
            mono
            placeholder="https://models.example.com/v1"
            help={t(
              'The address of a server with a chat-completions API. Leave blank to turn the model off and remove its key.',
            )}
            optional
          />
          <form.TextField name="model" label={t('Model')} mono />
          <form.SecretField
            name="api_key"
            label={t('Key')}
            optional
            isSet={stored.api_key !== null}
            help={t('Stored encrypted, and never shown again.')}
          />
        </Section>
      </Form>
    </>
  )
}
