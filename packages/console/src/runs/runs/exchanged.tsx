import { fromServer, type RunProblem, type RunStep, t } from '@switchroom/contract'
import { ArrowDownLeft, ArrowUpRight, ChevronRight } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { BodyLines } from '../../lib/body-lines'
import { Status } from '../../ui/status'
import { pathText } from './problems'
import { clockText, requestText } from './run-text'

type Request = Extract<RunStep, { kind: 'request' }>
type Command = Extract<RunStep, { kind: 'command' }>

/** A request to the application, or a command from it: a line that opens, with its problems always in sight. */
export function Exchanged({ step }: { step: Request | Command }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const isRequest = step.kind === 'request'
  const Arrow = isRequest ? ArrowUpRight : ArrowDownLeft
  return (
    <div className={step.problems.length > 0 ? 'run-box run-box-bad' : 'run-box'}>
      <button
        type="button"
        className="run-line"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        <ChevronRight className="run-chevron" aria-hidden />
        <Arrow aria-hidden />
        <span className="turn-time">{clockText(step.at)}</span>
        <span className="run-name">
          {isRequest ? requestText(step) : t('Command {command}', { command: step.command })}
          {isRequest && <code>{step.name}</code>}
        </span>
        {isRequest && (
          <code className="run-url" title={step.url}>
            {step.method} {pathOf(step.url)}
          </code>
        )}
        <Outcome step={step} />
      </button>
      <Problems problems={step.problems} />
      {open && (
        <div id={id} className="run-bodies">
          {isRequest ? <Bodies step={step} /> : <CommandBody step={step} />}
        </div>
      )}
    </div>
  )
}

/** The host is that of all requests, mostly, and stands in what opens. */
const pathOf = (url: string) => url.replace(/^\w+:\/\/[^/?]+(?=.)/, '')

function Outcome({ step }: { step: Request | Command }) {
  if (step.kind === 'command')
    return <span className="run-outcome">{step.is_queued ? t('Appended') : t('At once')}</span>
  const { answer, ms, attempts, method, problems } = step
  const status = answer?.status
  const isGood = status !== null && status !== undefined && status >= 200 && status < 300
  return (
    <span className="run-outcome numbers">
      {status !== null && status !== undefined && (
        <Status tone={isGood ? 'ok' : 'bad'}>{status}</Status>
      )}
      {!answer && problems.length > 0 && <Status tone="bad">{t('No answer')}</Status>}
      {!(method === 'WS' && !answer) && t('{milliseconds} ms', { milliseconds: ms })}
      {attempts > 1 && t('{n} attempts', { n: attempts })}
    </span>
  )
}

function Problems({ problems }: { problems: readonly RunProblem[] }) {
  if (problems.length === 0) return null
  return (
    <ul className="run-problems" aria-label={t('Problems')}>
      {problems.map((problem, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they stay as they are
        <li key={i}>
          {problem.path.length > 0 && <code>{pathText(problem)}</code>}
          <span dir="auto">{fromServer(problem.text)}</span>
        </li>
      ))}
    </ul>
  )
}

const marksOf = (problems: readonly RunProblem[]) =>
  problems.map(({ path, text }) => ({ path, message: text }))

function Bodies({ step }: { step: Request }) {
  const { method, url, data, answer, problems } = step
  const marks = useMemo(() => marksOf(problems), [problems])
  return (
    <>
      <div>
        <h3>{t('Request')}</h3>
        <code className="run-start">
          {method} {url}
        </code>
        {method === 'GET' && (
          <p className="hint">{t('This JSON is signed, but a GET request does not send it.')}</p>
        )}
        <BodyLines body={data} name={t('Request body')} />
      </div>
      <div>
        <h3>{t('Response')}</h3>
        {answer ? (
          <>
            {answer.status !== null && <code className="run-start">HTTP {answer.status}</code>}
            {answer.body.bytes > 0 ? (
              <BodyLines body={answer.body} marks={marks} name={t('Response body')} />
            ) : (
              <p className="hint">{t('No body')}</p>
            )}
          </>
        ) : (
          <p className="hint">{t('No response')}</p>
        )}
      </div>
    </>
  )
}

function CommandBody({ step: { data, problems } }: { step: Command }) {
  const marks = useMemo(() => marksOf(problems), [problems])
  return <BodyLines body={data} marks={marks} name={t('Data of the command')} />
}
