import { type SimulatedCallerView, t } from '@switchroom/contract'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { modelHref, viewOf as modelOf } from '../../applications/language-model/queries'
import { viewOf as applicationOf } from '../../applications/queries'
import { mayWrite } from '../../lib/access'
import { queryClient } from '../../lib/api'
import { useCrumb } from '../../lib/crumb'
import { DeleteZone } from '../../lib/delete-zone'
import { simulatedCallers } from '../../lib/endpoints'
import { useFollowProvider } from '../../lib/follow-provider'
import { useApiForm } from '../../lib/form'
import { Form } from '../../lib/form-dialog'
import { type FormLike, formLike } from '../../lib/form-like'
import { INLINE } from '../../lib/inline'
import { linkTo } from '../../lib/link-to'
import { oneOf } from '../../lib/list-search'
import { PlainLink } from '../../lib/plain-link'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { Columns, Section } from '../../ui/section'
import { SidFact } from '../../ui/sid'
import { toastSuccess } from '../../ui/toast'
import { tryHref } from '../runs/run-href'
import { CallFields } from '../test-cases/call-fields'
import { ExpectationRows } from '../test-cases/expectation-rows'
import casesSheet from '../test-cases/test-cases.css?url'
import { type Values as CaseValues, fieldFor, issuesOf } from '../test-cases/values'
import { Criteria } from './criteria'
import { DeleteSimulatedCaller } from './delete'
import { OFFER_NAMES } from './offered'
import { callerHref, viewOf } from './queries'
import sheet from './simulated-callers.css?url'
import { newValues, toBody, type Values, valuesOf } from './values'

const newRoute = getRouteApi('/internal/applications/$application_sid/simulated-callers/add')
const editRoute = getRouteApi(
  '/internal/applications/$application_sid/simulated-callers/$simulated_caller_sid/edit',
)

type Application = { application_sid: string }

export const load = (params: Application & { simulated_caller_sid: string }) =>
  Promise.all([
    queryClient.ensureQueryData(applicationOf(params.application_sid)),
    queryClient.ensureQueryData(viewOf(params)),
  ])

function useApplication(application_sid: string) {
  const { data: application } = useSuspenseQuery(applicationOf(application_sid))
  useCrumb(application.name)
  useFollowProvider(application)
  return application
}

export function NewSimulatedCaller() {
  const { application_sid } = newRoute.useParams()
  const { offer } = newRoute.useSearch()
  const application = useApplication(application_sid)
  const navigate = useNavigate()
  const [defaultValues] = useState(() =>
    newValues(oneOf(OFFER_NAMES, offer), application.speech_recognizer_language ?? 'en-US'),
  )
  const form = useApiForm({
    endpoint: simulatedCallers.create,
    defaultValues,
    check: issuesOf,
    fieldFor,
    toSend: (v) => ({ params: { application_sid }, body: toBody(v) }),
    onDone: ({ sid }, { name }) => {
      toastSuccess(t('Added simulated caller {name}', { name }))
      return navigate(linkTo(callerHref({ application_sid, simulated_caller_sid: sid })))
    },
  })
  return (
    <>
      <PageHeader title={t('Add a simulated caller')} />
      <NoModel account_sid={application.account_sid} />
      <Form form={form} isNew cancelHref={tryHref(application_sid)}>
        <Fields form={formLike(form)} />
      </Form>
    </>
  )
}

/** Says so if nothing can play the caller. */
export function NoModel({ account_sid }: { account_sid: string | null }) {
  const model = useQuery({
    ...modelOf(account_sid ?? ''),
    ...INLINE,
    enabled: account_sid !== null,
  })
  if (account_sid === null)
    return (
      <Notice tone="warn">
        {t('This application belongs to no account, and only accounts have a language model.')}
      </Notice>
    )
  if (!model.data || model.data.url !== null) return null
  return (
    <Notice tone="warn">
      {t('The account has no language model yet')}{' '}
      <PlainLink href={modelHref(account_sid)}>{t('Set a language model')}</PlainLink>
    </Notice>
  )
}

export function EditSimulatedCaller() {
  const params = editRoute.useParams()
  useApplication(params.application_sid)
  const { data } = useSuspenseQuery(viewOf(params))
  return <Edit key={params.simulated_caller_sid} caller={data} />
}

function Edit({ caller }: { caller: SimulatedCallerView }) {
  const navigate = useNavigate()
  const { application_sid, simulated_caller_sid, version } = caller
  const form = useApiForm({
    endpoint: simulatedCallers.update,
    defaultValues: valuesOf(caller),
    edits: { version, valuesOf: (view: SimulatedCallerView) => valuesOf(view) },
    check: issuesOf,
    fieldFor,
    toSend: (v) => ({ params: { application_sid, simulated_caller_sid }, body: toBody(v) }),
    onDone: (_, { name }) => {
      toastSuccess(t('Updated simulated caller {name}', { name }))
      return navigate(linkTo(callerHref(caller)))
    },
  })
  return (
    <>
      <PageHeader title={t('Edit simulated caller')} />
      <Form
        form={form}
        cancelHref={callerHref(caller)}
        aside={<SidFact name={t('Simulated caller SID')} sid={simulated_caller_sid} />}
      >
        <Fields form={formLike(form)} />
      </Form>
      {mayWrite() && (
        <DeleteZone
          title={t('Delete simulated caller')}
          next={tryHref(application_sid)}
          dialog={(callbacks) => <DeleteSimulatedCaller caller={caller} {...callbacks} />}
        >
          {t('Its conversations are kept.')}
        </DeleteZone>
      )}
    </>
  )
}

const Fields = ({ form }: { form: FormLike<Values> }) => {
  // the parts of a test case know of no more than a test case has
  const asCase = form as unknown as FormLike<CaseValues>
  return (
    <>
      <link rel="stylesheet" href={casesSheet} precedence="page" />
      <link rel="stylesheet" href={sheet} precedence="page" />
      <Section title={t('Caller')}>
        <form.TextField name="name" label={t('Name')} />
        <form.TextArea
          name="persona"
          label={t('Who calls')}
          rows={3}
          help={t('In words: their mood, how they speak, what they know.')}
        />
        <form.TextArea
          name="goal"
          label={t('Goal')}
          rows={2}
          help={t('The caller hangs up once it is reached, or out of reach.')}
        />
        <form.TextField name="language" label={t('Language')} mono placeholder="en-US" />
      </Section>
      <Section
        title={t('Budget of a conversation')}
        about={t('It ends when one of these is used up. Scoring counts as well.')}
      >
        <Columns>
          <form.NumberField name="max_turns" label={t('Turns')} min={1} />
          <form.NumberField name="max_minutes" label={t('Minutes')} min={1} />
          <form.NumberField name="max_tokens" label={t('Tokens')} min={1_000} />
        </Columns>
      </Section>
      <ExpectationRows
        form={asCase}
        about={t(
          'What the application must do in each conversation, in any order. A part of a text or address is enough, in upper or lower case, and of a number the last digits.',
        )}
      />
      <Criteria form={form as unknown as FormLike<Pick<Values, 'criteria'>>} />
      <CallFields form={asCase} />
    </>
  )
}
