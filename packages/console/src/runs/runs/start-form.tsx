import { type ApplicationView, t } from '@switchroom/contract'
import { Phone, Plus, X } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { issueOn, messageOf } from '../../lib/failure'
import { Button, IconButton } from '../../ui/button'
import { Notice } from '../../ui/notice'
import { rich } from '../../ui/rich'
import { TextField } from '../../ui/text-field'
import { type StartValues, startOf } from './start-values'
import { useBegin } from './use-begin'

/** Caller and called number of a call. */
export function StartForm({
  application,
  initial,
}: {
  application: ApplicationView
  initial: StartValues
}) {
  const [values, setValues] = useState(initial)
  const begin = useBegin(application.application_sid)
  const { error } = begin
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [error])
  const set = (change: Partial<StartValues>) => setValues((old) => ({ ...old, ...change }))
  const issue = (field: string) => issueOn(error, 'start', field)
  const isAtField = ['from', 'to', 'caller_name', 'sip_headers'].some(issue)
  return (
    <form
      ref={form}
      className="try-form"
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (!begin.isPending) begin.mutate({ start: startOf(values), answers: [] })
      }}
    >
      <div className="try-parties">
        <TextField
          label={t('From')}
          mono
          inputMode="tel"
          value={values.from}
          onChange={(from) => set({ from })}
          error={issue('from')}
        />
        <TextField
          label={t('To')}
          mono
          inputMode="tel"
          value={values.to}
          onChange={(to) => set({ to })}
          error={issue('to')}
        />
        <TextField
          label={t('Caller name')}
          optional
          value={values.caller_name}
          onChange={(caller_name) => set({ caller_name })}
          error={issue('caller_name')}
        />
      </div>
      <Headers
        headers={values.headers}
        onChange={(headers) => set({ headers })}
        error={issue('sip_headers')}
      />
      <Address application={application} />
      {error && !isAtField && <Notice tone="bad">{messageOf(error)}</Notice>}
      <div>
        <Button look="primary" type="submit" busy={begin.isPending}>
          <Phone aria-hidden />
          {begin.isPending ? t('Calling…') : t('Start call')}
        </Button>
      </div>
    </form>
  )
}

function Address({ application: { call_hook, app_json } }: { application: ApplicationView }) {
  if (app_json)
    return (
      <p className="hint">
        {t('The application has its own JSON, so its calling webhook is not asked.')}
      </p>
    )
  if (!call_hook?.url)
    return <Notice tone="warn">{t('This application has no calling webhook.')}</Notice>
  return (
    <p className="hint">
      {rich('Switchroom sends what the platform would send to {url}.', {
        url: <code className="try-url">{call_hook.url}</code>,
      })}
    </p>
  )
}

type HeaderRows = StartValues['headers']

function Headers({
  headers,
  onChange,
  error,
}: {
  headers: HeaderRows
  onChange: (headers: HeaderRows) => void
  error: string | undefined
}) {
  const errorId = useId()
  const wrong = error ? ({ 'aria-invalid': true, 'aria-describedby': errorId } as const) : {}
  const change = (id: number, change: { name?: string; value?: string }) =>
    onChange(headers.map((row) => (row.id === id ? { ...row, ...change } : row)))
  const add = () => {
    const id = Math.max(-1, ...headers.map((row) => row.id)) + 1
    onChange([...headers, { id, name: '', value: '' }])
  }
  return (
    <fieldset className="try-headers">
      <legend>
        {t('SIP headers')}
        <span className="field-optional"> {t('(optional)')}</span>
      </legend>
      {headers.map(({ id, name, value }, n) => (
        <div key={id} className="try-header">
          <input
            {...wrong}
            className="input input-mono"
            aria-label={t('Name of header {n}', { n: n + 1 })}
            placeholder="X-Customer"
            autoComplete="off"
            spellCheck={false}
            // biome-ignore lint/a11y/noAutofocus: the row was just added, to be filled in
            autoFocus={name === '' && value === ''}
            value={name}
            onChange={(e) => change(id, { name: e.target.value })}
          />
          <input
            {...wrong}
            className="input input-mono"
            aria-label={t('Value of header {n}', { n: n + 1 })}
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={(e) => change(id, { value: e.target.value })}
          />
          <IconButton
            label={t('Remove header {n}', { n: n + 1 })}
            onClick={() => onChange(headers.filter((row) => row.id !== id))}
          >
            <X />
          </IconButton>
        </div>
      ))}
      {error && (
        <p id={errorId} className="field-error">
          {error}
        </p>
      )}
      <div>
        <Button size="small" onClick={add}>
          <Plus aria-hidden />
          {t('Add header')}
        </Button>
      </div>
    </fieldset>
  )
}
