import {
  fromServer,
  type RequestBody,
  t,
  type Verdict,
  type WebhookRequestView,
} from '@switchroom/contract'
import { useMemo } from 'react'
import { BodyLines } from '../../lib/body-lines'
import { shownBody } from '../../lib/shown-body'
import { Block, Blocks } from '../../ui/block'
import { Notice } from '../../ui/notice'
import './webhook-log.css'

type Headers = WebhookRequestView['request_headers']

/** A request and its response, side by side if there is room. */
export const Exchange = ({ request: r }: { request: WebhookRequestView }) => (
  <Blocks
    side={
      <Block title={t('Response')}>
        {r.status === null ? (
          <Notice tone="bad">{r.error ? fromServer(r.error) : t('No response')}</Notice>
        ) : (
          <>
            {r.verdict && <VerdictNotice verdict={r.verdict} body={r.response_body} />}
            <Message
              start={`HTTP ${r.status}`}
              headers={r.response_headers}
              body={r.response_body}
              verdict={r.verdict}
              name={t('Response body')}
            />
          </>
        )}
      </Block>
    }
  >
    <Block title={t('Request')}>
      <Message
        start={`${r.method} ${r.url}`}
        headers={r.request_headers}
        body={r.request_body}
        verdict={null}
        name={t('Request body')}
      />
    </Block>
  </Blocks>
)

function VerdictNotice({ verdict, body }: { verdict: Verdict; body: RequestBody | null }) {
  const [marked] = body && !verdict.ok ? shownBody(body.text, [verdict]).marked.keys() : []
  return (
    <Notice tone={verdict.ok ? 'ok' : 'bad'}>
      {marked
        ? t('Line {line}: {problem}', { line: marked, problem: fromServer(verdict.message) })
        : fromServer(verdict.message)}
    </Notice>
  )
}

function Message({
  start,
  headers,
  body,
  verdict,
  name,
}: {
  start: string
  headers: Headers
  body: RequestBody | null
  verdict: Verdict | null
  name: string
}) {
  const marks = useMemo(() => (verdict && !verdict.ok ? [verdict] : []), [verdict])
  return (
    <div className="exchange">
      <code className="exchange-start">{start}</code>
      {headers.length > 0 && (
        <dl className="exchange-headers">
          {headers.map(({ name, value }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a header may come twice
            <div key={i}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {body ? (
        <BodyLines body={body} marks={marks} name={name} />
      ) : (
        <p className="block-empty">{t('No body')}</p>
      )}
    </div>
  )
}
