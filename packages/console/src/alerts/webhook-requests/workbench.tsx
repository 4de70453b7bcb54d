import {
  type ApplicationView,
  isOneOf,
  TEST_HOOKS,
  type TestHook,
  t,
  type WebhookRequestView,
} from '@switchroom/contract'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { RotateCcw, Send } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { viewOf } from '../../applications/queries'
import { send } from '../../lib/api'
import { useCrumb } from '../../lib/crumb'
import { webhookRequests } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { useFollowProvider } from '../../lib/follow-provider'
import { PlainLink } from '../../lib/plain-link'
import { keysOf } from '../../lib/records'
import { Button, buttonClass } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { rich } from '../../ui/rich'
import { SelectField } from '../../ui/select'
import { EmptyState } from '../../ui/states'
import { TextArea } from '../../ui/text-field'
import { Exchange } from './exchange'
import { RequestStatus } from './request-status'
import { samplePayload } from './sample-payload'
import './webhook-log.css'

const route = getRouteApi('/internal/applications/$application_sid/test')

const isWebSocket = (url: string) => /^wss?:/i.test(url)

/** The payload's text as an object, or why it is none. */
function payloadOf(text: string): { payload: Record<string, unknown> } | { problem: string } {
  try {
    const payload: unknown = JSON.parse(text)
    if (typeof payload === 'object' && payload !== null && !Array.isArray(payload))
      return { payload: payload as Record<string, unknown> }
    return { problem: t('Enter a JSON object') }
  } catch (e) {
    return {
      problem: t('Not valid JSON. {problem}', { problem: e instanceof Error ? e.message : '' }),
    }
  }
}

export function Workbench() {
  const { application_sid } = route.useParams()
  const { data: application } = useSuspenseQuery(viewOf(application_sid))
  useCrumb(application.name)
  useFollowProvider(application)
  const hooks = keysOf(TEST_HOOKS).filter((hook) => application[hook]?.url)
  const testable = hooks.filter((hook) => !isWebSocket(application[hook]?.url ?? ''))
  const [first] = testable
  return (
    <>
      <PageHeader title={t('Send a test request')}>
        <PlainLink
          href={`/internal/webhook-log?application_sid=${application_sid}`}
          className={buttonClass()}
        >
          {t('Webhook log')}
        </PlainLink>
      </PageHeader>
      {first ? (
        <TestForm key={application_sid} application={application} hooks={testable} first={first} />
      ) : (
        <EmptyState
          text={t('The webhooks of this application are WebSockets, which cannot be tested here.')}
        />
      )}
    </>
  )
}

function TestForm({
  application,
  hooks,
  first,
}: {
  application: ApplicationView
  hooks: TestHook[]
  first: TestHook
}) {
  const { application_sid } = application
  const sample = (hook: TestHook) => JSON.stringify(samplePayload(hook, application), undefined, 2)
  const [hook, setHook] = useState(first)
  const [text, setText] = useState(() => sample(first))
  const [problem, setProblem] = useState<string>()
  const test = useMutation({
    mutationFn: (payload: Record<string, unknown>) =>
      send(webhookRequests.test, { params: { application_sid }, body: { hook, payload } }),
  })
  const edit = (text: string) => {
    setText(text)
    setProblem(undefined)
  }
  const submit = () => {
    if (test.isPending) return
    const read = payloadOf(text)
    if ('problem' in read) return setProblem(read.problem)
    test.mutate(read.payload)
  }
  return (
    <>
      <form
        className="workbench"
        noValidate
        onSubmit={(e) => {
          e.preventDefault()
          submit()
        }}
        onKeyDown={(e) => {
          if (e.key !== 'Enter' || !(e.ctrlKey || e.metaKey)) return
          e.preventDefault()
          submit()
        }}
      >
        <SelectField
          label={t('Webhook')}
          help={
            <code className="exchange-start">
              {application[hook]?.method} {application[hook]?.url}
            </code>
          }
          options={hooks.map((value) => ({ value, label: TEST_HOOKS[value] }))}
          value={hook}
          onChange={(value) => {
            if (!isOneOf(hooks, value)) return
            setHook(value)
            edit(sample(value))
          }}
        />
        <TextArea
          label={t('Payload')}
          help={t(
            "Masked environment variables are filled in when the request is sent. It is signed with the account's signing secret.",
          )}
          error={problem}
          mono
          rows={18}
          value={text}
          onChange={edit}
        />
        <div className="workbench-buttons">
          <Button
            look="primary"
            type="submit"
            busy={test.isPending}
            aria-keyshortcuts="Control+Enter"
          >
            <Send aria-hidden />
            {test.isPending ? t('Sending…') : t('Send test request')}
          </Button>
          <Button look="quiet" onClick={() => edit(sample(hook))}>
            <RotateCcw aria-hidden />
            {t('Reset payload')}
          </Button>
        </div>
        {test.error && <Notice tone="bad">{messageOf(test.error)}</Notice>}
      </form>
      {test.data && <Result key={test.data.webhook_request_sid} request={test.data} />}
    </>
  )
}

function Result({ request }: { request: WebhookRequestView }) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => box.current?.focus(), [])
  return (
    <section ref={box} className="workbench-result" tabIndex={-1} aria-label={t('Result')}>
      <p>
        {rich('{status} in {milliseconds} ms. {link}', {
          status: <RequestStatus request={request} />,
          milliseconds: request.duration_ms,
          link: (
            <PlainLink href={`/internal/webhook-log/${request.webhook_request_sid}`}>
              {t('Open in the webhook log')}
            </PlainLink>
          ),
        })}
      </p>
      <Exchange request={request} />
    </section>
  )
}
