import { type Application, applications } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { mayWrite, ownAccount } from '../lib/access'
import { query, queryClient } from '../lib/api'
import { config } from '../lib/config'
import { Form, useApiForm } from '../lib/form'
import { type FormLike, formLike } from '../lib/form-like'
import { AccountField } from '../lib/picker-fields'
import { hookIssues, hookToSend, hookValues, WebhookFields } from '../lib/webhook-fields'
import { Button } from '../ui/button'
import { Fact, Facts } from '../ui/form-shell'
import { PageHeader } from '../ui/page-header'
import { DangerZone, Section } from '../ui/section'
import { Sid } from '../ui/sid'
import { Time } from '../ui/time'
import { toastOk } from '../ui/toast'
import { DeleteApplication } from './delete'

const LIST = '/internal/applications'
const route = getRouteApi('/internal/applications/$application_sid/edit')

const viewOf = (application_sid: string) =>
  query(applications.view, { params: { application_sid } })
export const load = ({ application_sid }: { application_sid: string }) =>
  queryClient.ensureQueryData(viewOf(application_sid))

const valuesOf = (a?: Application) => ({
  name: a?.name ?? '',
  account_sid: a?.account_sid ?? ownAccount() ?? '',
  call_hook: hookValues(a?.call_hook ?? null),
  call_status_hook: hookValues(a?.call_status_hook ?? null),
  record_all_calls: a?.record_all_calls === 1,
})
type Values = ReturnType<typeof valuesOf>

/** What this form shows; speech, environment and the rest of an application stay as they are. */
const toBody = ({ call_hook, call_status_hook, record_all_calls, ...rest }: Values) => ({
  ...rest,
  ...(!config.DISABLE_CALL_RECORDING && { record_all_calls }),
  call_hook: hookToSend(call_hook),
  call_status_hook: hookToSend(call_status_hook),
})

const issuesOf = (v: Values) => [
  ...(v.account_sid ? [] : [{ path: ['account_sid'], message: 'Choose an account' }]),
  ...hookIssues('call_hook', v.call_hook),
  ...hookIssues('call_status_hook', v.call_status_hook),
]

export function NewApplication() {
  const navigate = useNavigate()
  const form = useApiForm({
    endpoint: applications.create,
    defaultValues: valuesOf(),
    check: issuesOf,
    toSend: (v) => ({ body: toBody(v) }),
    onDone: () => {
      toastOk('Application created successfully')
      return navigate({ to: LIST })
    },
  })
  return (
    <>
      <PageHeader title="Add an application" />
      <Form form={form} isNew cancelHref={LIST}>
        <Fields form={formLike(form)} />
      </Form>
    </>
  )
}

export function EditApplication() {
  const { application_sid } = route.useParams()
  const { data } = useSuspenseQuery(viewOf(application_sid))
  return <Edit key={application_sid} application={data} />
}

function Edit({ application }: { application: Application }) {
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState(false)
  const { application_sid } = application
  const form = useApiForm({
    endpoint: applications.update,
    defaultValues: valuesOf(application),
    check: issuesOf,
    toSend: (v) => ({ params: { application_sid }, body: toBody(v) }),
    onDone: () => toastOk('Application updated successfully'),
  })
  return (
    <>
      <PageHeader title="Edit application" />
      <Form
        form={form}
        cancelHref={LIST}
        aside={
          <Facts>
            <Fact name="Application SID">
              <Sid sid={application_sid} />
            </Fact>
            <Fact name="Created">
              <Time at={application.created_at} none="Unknown" />
            </Fact>
          </Facts>
        }
      >
        <Fields form={formLike(form)} />
      </Form>
      {mayWrite() && (
        <DangerZone
          title="Delete application"
          action={
            <Button look="danger" onClick={() => setDeleting(true)}>
              Delete application
            </Button>
          }
        >
          Numbers and devices that lead to it must be given another application first.
        </DangerZone>
      )}
      {deleting && (
        <DeleteApplication
          application={application}
          onClose={() => setDeleting(false)}
          onDeleted={() => navigate({ to: LIST, ignoreBlocker: true })}
        />
      )}
    </>
  )
}

function Fields({ form }: { form: FormLike }) {
  return (
    <>
      <Section title="General">
        <form.AppField name="name">
          {(f) => <f.TextField label="Application name" placeholder="Application name" />}
        </form.AppField>
        {!ownAccount() && (
          <form.AppField name="account_sid">
            {() => (
              <AccountField none="You must create an account before you can create an application." />
            )}
          </form.AppField>
        )}
      </Section>
      <Section
        title="Webhooks"
        about="What the platform asks when a call comes in, and whom it tells how it goes."
      >
        <form.Subscribe selector={(s) => (s.values as Values).call_status_hook.url}>
          {(status) => (
            <WebhookFields
              form={form}
              name="call_hook"
              label="Calling webhook"
              placeholder="https://example.com/call"
              onUrl={(url) => {
                // a socket carries the status of a call as well
                if (/^ws/i.test(url) && (status === '' || /^ws/i.test(status)))
                  form.setFieldValue('call_status_hook.url', url)
              }}
            />
          )}
        </form.Subscribe>
        <WebhookFields
          form={form}
          name="call_status_hook"
          label="Call status webhook"
          placeholder="https://example.com/status"
        />
      </Section>
      {!config.DISABLE_CALL_RECORDING && (
        <Section title="Recording">
          <form.AppField name="record_all_calls">
            {(f) => <f.Checkbox label="Record all calls" />}
          </form.AppField>
        </Section>
      )}
    </>
  )
}
