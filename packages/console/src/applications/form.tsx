import { type ApplicationView, t } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { mayWrite } from '../lib/access'
import { DeleteZone } from '../lib/delete-zone'
import { applications } from '../lib/endpoints'
import { useApiForm } from '../lib/form'
import { Form } from '../lib/form-dialog'
import { formLike } from '../lib/form-like'
import { RequirePrerequisites } from '../lib/needs'
import { NEEDS_ACCOUNT } from '../lib/needs-account'
import { EditHead } from '../lib/thing-head'
import { Fact, Facts } from '../ui/facts'
import { PageHeader } from '../ui/page-header'
import { Sid } from '../ui/sid'
import { Time } from '../ui/time'
import { toastSuccess } from '../ui/toast'
import { DeleteApplication } from './delete'
import { Fields } from './fields'
import { viewOf } from './queries'
import { issuesOf, toBody, valuesOf } from './values'

const LIST = '/internal/applications'
const FORBIDDEN = t('You do not have permissions to make changes to this Application')
export const route = getRouteApi('/internal/applications/$application_sid/edit')

export const NewApplication = () => (
  <>
    <PageHeader title={t('Add an application')} />
    <RequirePrerequisites account={NEEDS_ACCOUNT.application}>
      <Add />
    </RequirePrerequisites>
  </>
)

export function Add() {
  const navigate = useNavigate()
  const form = useApiForm({
    endpoint: applications.create,
    forbidden: FORBIDDEN,
    defaultValues: valuesOf(),
    check: issuesOf,
    toSend: (v) => ({ body: toBody(v) }),
    onDone: () => {
      toastSuccess(t('Application created successfully'))
      return navigate({ to: LIST })
    },
  })
  return (
    <Form form={form} isNew cancelHref={LIST}>
      <Fields form={formLike(form)} />
    </Form>
  )
}

export function EditApplication() {
  const { application_sid } = route.useParams()
  const { data } = useSuspenseQuery(viewOf(application_sid))
  return <Edit key={application_sid} application={data} />
}

export function Edit({ application }: { application: ApplicationView }) {
  const { application_sid } = application
  const form = useApiForm({
    endpoint: applications.update,
    forbidden: FORBIDDEN,
    defaultValues: valuesOf(application),
    edits: { version: application.version, valuesOf: (view: ApplicationView) => valuesOf(view) },
    check: issuesOf,
    toSend: (v) => ({ params: { application_sid }, body: toBody(v) }),
    onDone: (_, __, undo) => toastSuccess(t('Application updated successfully'), undo),
  })
  return (
    <>
      <EditHead
        kind="application"
        sid={application_sid}
        name={application.name}
        owner={application}
        title={t('Edit application')}
      />
      <Form
        form={form}
        cancelHref={LIST}
        aside={
          <Facts>
            <Fact name={t('Application SID')}>
              <Sid sid={application_sid} />
            </Fact>
            <Fact name={t('Created')}>
              <Time at={application.created_at} none={t('Unknown')} />
            </Fact>
          </Facts>
        }
      >
        <Fields form={formLike(form)} />
      </Form>
      {mayWrite() && (
        <DeleteZone
          title={t('Delete application')}
          next={LIST}
          dialog={(callbacks) => <DeleteApplication application={application} {...callbacks} />}
        >
          {t('First assign its phone numbers and devices to another application.')}
        </DeleteZone>
      )}
    </>
  )
}
