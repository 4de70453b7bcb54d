import { type TestCaseView, t } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { viewOf as applicationOf } from '../../applications/queries'
import { mayWrite } from '../../lib/access'
import { queryClient } from '../../lib/api'
import { useCrumb } from '../../lib/crumb'
import { DeleteZone } from '../../lib/delete-zone'
import { testCases } from '../../lib/endpoints'
import { useFollowProvider } from '../../lib/follow-provider'
import { useApiForm } from '../../lib/form'
import { Form } from '../../lib/form-dialog'
import { type FormLike, formLike } from '../../lib/form-like'
import { linkTo } from '../../lib/link-to'
import { PageHeader } from '../../ui/page-header'
import { Section } from '../../ui/section'
import { SidFact } from '../../ui/sid'
import { toastSuccess } from '../../ui/toast'
import { viewOf as runOf } from '../runs/queries'
import { tryHref } from '../runs/run-href'
import { AnswerRows } from './answer-rows'
import { CallFields } from './call-fields'
import { DeleteTestCase } from './delete'
import { ExpectationRows } from './expectation-rows'
import { FromCall } from './from-call'
import { valuesOfCall } from './of-call'
import { valuesOfRun } from './propose'
import { caseOfCall, viewOf } from './queries'
import sheet from './test-cases.css?url'
import { blank, fieldFor, issuesOf, NEW, toBody, type Values, valuesOf } from './values'

const newRoute = getRouteApi('/internal/applications/$application_sid/test-cases/add')
const editRoute = getRouteApi('/internal/applications/$application_sid/test-cases/$test_case_sid')

type Application = { application_sid: string }

export const load = (params: Application & { test_case_sid: string }) =>
  Promise.all([
    queryClient.ensureQueryData(applicationOf(params.application_sid)),
    queryClient.ensureQueryData(viewOf(params)),
  ])

function useApplication(application_sid: string) {
  const { data: application } = useSuspenseQuery(applicationOf(application_sid))
  useCrumb(application.name)
  useFollowProvider(application)
}

export function NewTestCase() {
  const { application_sid } = newRoute.useParams()
  const { run, call, account_sid } = newRoute.useSearch()
  useApplication(application_sid)
  return call && account_sid ? (
    <OfCall
      key={call}
      application_sid={application_sid}
      account_sid={account_sid}
      trace_id={call}
    />
  ) : run ? (
    <OfRun key={run} application_sid={application_sid} run_sid={run} />
  ) : (
    <Add
      application_sid={application_sid}
      values={() => ({ ...valuesOf(NEW), expectations: [blank.expectation()] })}
    />
  )
}

function OfRun(params: Application & { run_sid: string }) {
  const { data: run } = useSuspenseQuery(runOf(params))
  return <Add application_sid={params.application_sid} values={() => valuesOfRun(run)} />
}

function OfCall({
  application_sid,
  ...params
}: Application & { account_sid: string; trace_id: string }) {
  const { data } = useSuspenseQuery(caseOfCall(params))
  return (
    <Add application_sid={application_sid} values={() => valuesOfCall(data)}>
      <FromCall {...data} />
    </Add>
  )
}

export function Add({
  application_sid,
  values,
  children,
}: Application & { values: () => Values; children?: ReactNode }) {
  const navigate = useNavigate()
  // once, since a blank row has a random key
  const [defaultValues] = useState(values)
  const form = useApiForm({
    endpoint: testCases.create,
    defaultValues,
    check: issuesOf,
    fieldFor,
    toSend: (v) => ({ params: { application_sid }, body: toBody(v) }),
    onDone: (_, { name }) => {
      toastSuccess(t('Added test case {name}', { name }))
      return navigate(linkTo(tryHref(application_sid)))
    },
  })
  return (
    <>
      <PageHeader title={t('Add a test case')} />
      {children}
      <Form form={form} isNew cancelHref={tryHref(application_sid)}>
        <Fields form={formLike(form)} />
      </Form>
    </>
  )
}

export function EditTestCase() {
  const params = editRoute.useParams()
  useApplication(params.application_sid)
  const { data } = useSuspenseQuery(viewOf(params))
  return <Edit key={params.test_case_sid} testCase={data} />
}

export function Edit({ testCase }: { testCase: TestCaseView }) {
  const { application_sid, test_case_sid, version } = testCase
  const form = useApiForm({
    endpoint: testCases.update,
    defaultValues: valuesOf(testCase),
    edits: { version, valuesOf: (view: TestCaseView) => valuesOf(view) },
    check: issuesOf,
    fieldFor,
    toSend: (v) => ({ params: { application_sid, test_case_sid }, body: toBody(v) }),
    onDone: (_, { name }, undo) => toastSuccess(t('Updated test case {name}', { name }), undo),
  })
  return (
    <>
      <PageHeader title={t('Edit test case')} />
      <Form
        form={form}
        cancelHref={tryHref(application_sid)}
        aside={<SidFact name={t('Test case SID')} sid={test_case_sid} />}
      >
        <Fields form={formLike(form)} />
      </Form>
      {mayWrite() && (
        <DeleteZone
          title={t('Delete test case')}
          next={tryHref(application_sid)}
          dialog={(callbacks) => <DeleteTestCase testCase={testCase} {...callbacks} />}
        >
          {t('Its runs are kept.')}
        </DeleteZone>
      )}
    </>
  )
}

const Fields = ({ form }: { form: FormLike<Values> }) => (
  <>
    <link rel="stylesheet" href={sheet} precedence="page" />
    <Section title={t('Test case')}>
      <form.TextField
        name="name"
        label={t('Name')}
        placeholder={t('Opening hours, by phone keys')}
      />
    </Section>
    <CallFields form={form} />
    <AnswerRows form={form} />
    <ExpectationRows form={form} />
  </>
)
