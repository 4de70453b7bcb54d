import {
  decimalText,
  fromServer,
  plural,
  type RequestBody,
  t,
  type Verdict,
  type WebhookRequestView,
} from '@switchroom/contract'
import { useEffect, useMemo, useRef } from 'react'
import { Block, Blocks } from '../../ui/block'
import { Notice } from '../../ui/notice'
import { shownBody } from './shown-body'
import './webhook-log.css'

type Headers = WebhookRequestView['request_headers']

const sizeText = (bytes: number) =>
  bytes < 1_024 ? plural(bytes, '1 byte|{n} bytes') : `${decimalText(bytes / 1_024)} kB`

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
  const { marked } = body ? shownBody(body.text, verdict) : { marked: undefined }
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
        <Body body={body} verdict={verdict} name={name} />
      ) : (
        <p className="block-empty">{t('No body')}</p>
      )}
    </div>
  )
}

function Body({
  body,
  verdict,
  name,
}: {
  body: RequestBody
  verdict: Verdict | null
  name: string
}) {
  const { lines, marked } = useMemo(() => shownBody(body.text, verdict), [body.text, verdict])
  const line = useRef<HTMLLIElement>(null)
  // within its box: the page stays where it is
  useEffect(() => {
    const box = line.current?.closest('section')
    if (line.current && box && marked) box.scrollTop = line.current.offsetTop - box.clientHeight / 2
  }, [marked])
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard */}
      <section className="exchange-body" tabIndex={0} aria-label={name}>
        <ol>
          {lines.map((text, i) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: lines are known by their numbers
              key={i}
              ref={i + 1 === marked ? line : undefined}
              className={i + 1 === marked ? 'exchange-wrong' : undefined}
            >
              <code>{text}</code>
              {i + 1 === marked && (
                <span className="exchange-problem">
                  <span className="visually-hidden">{t('Error:')} </span>
                  {verdict && fromServer(verdict.message)}
                </span>
              )}
            </li>
          ))}
        </ol>
      </section>
      <p className="hint">
        {body.is_cut
          ? t('{size}, of which the log keeps the first 16 kB', { size: sizeText(body.bytes) })
          : sizeText(body.bytes)}
      </p>
    </>
  )
}
