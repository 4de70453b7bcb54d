import { BASIC_AUTH_NEEDS_BOTH, t, WEBHOOK_METHODS } from '@switchroom/contract'
import { useRef } from 'react'
import type { FormLike } from '../lib/form-like'
import './webhook-fields.css'

/** Form values of a webhook. */
export type HookValues = {
  url: string
  method: string
  /** True if basic authentication is used. */
  auth: boolean
  username: string
  password: string
}
export const isSocket = (url: string) => /^wss?:/i.test(url)

type Stored = { url: string; method: string; username: string | null; password: string | null }

/** The form values of a stored webhook. A method that is not in `methods` becomes POST. */
export const hookValues = (
  hook: Stored | null,
  methods: readonly string[] = WEBHOOK_METHODS,
): HookValues => ({
  url: hook?.url ?? '',
  method: methods.find((m) => m === hook?.method.toUpperCase()) ?? 'POST',
  auth: !!(hook?.username || hook?.password),
  username: hook?.username ?? '',
  password: hook?.password ?? '',
})

/** Clearing the authentication checkbox removes username and password. The schema requires GET for WebSockets. */
export const hookToSend = ({ auth, username, password, url, method }: HookValues) => ({
  url,
  method: isSocket(url) ? 'GET' : method,
  username: auth ? username : null,
  password: auth ? password : null,
})

export function WebhookFields<N extends string>({
  form,
  name,
  label,
  placeholder,
  help,
  methods = WEBHOOK_METHODS,
  optional = false,
  onUrl,
  isSuggested,
}: {
  form: FormLike<Record<N, HookValues>>
  /** The form's member, such as `call_hook`. */
  name: N
  label: string
  placeholder?: string
  help?: string
  methods?: readonly string[]
  optional?: boolean
  /** Called on blur after the URL has changed, for dependent fields. */
  onUrl?: (url: string) => void
  /** True if the URL was filled in automatically. Focus then selects it, so that typing replaces it. */
  isSuggested?: (url: string) => boolean
}) {
  const url = () => form.getFieldValue(name).url
  const before = useRef('')
  return (
    <div className="webhook">
      <div className="webhook-line">
        <form.TextField
          name={`${name}.url`}
          label={label}
          placeholder={placeholder}
          help={help}
          optional={optional}
          inputMode="url"
          mono
          onFocus={({ currentTarget }) => {
            before.current = url()
            // after the click has set the caret
            if (isSuggested?.(url())) setTimeout(() => currentTarget.select())
          }}
          onBlur={() => {
            if (url() !== before.current) onUrl?.(url())
          }}
        />
        <form.Subscribe selector={(s) => isSocket(s.values[name].url)}>
          {(socket) => (
            <form.SelectField
              name={`${name}.method`}
              label={t('Method')}
              // WebSockets are opened with GET; the chosen method returns with another URL
              options={(socket ? ['GET'] : methods).map((m) => ({ value: m, label: m }))}
              disabled={socket}
            />
          )}
        </form.Subscribe>
      </div>
      <form.AppField name={`${name}.auth`}>
        {(f) => (
          <f.Checkbox label={t('Use HTTP basic authentication')}>
            <div className="webhook-auth">
              <div className="columns">
                <form.TextField name={`${name}.username`} label={t('Username')} />
                <form.PasswordField name={`${name}.password`} label={t('Password')} />
              </div>
              <p className="field-help">{BASIC_AUTH_NEEDS_BOTH}</p>
            </div>
          </f.Checkbox>
        )}
      </form.AppField>
    </div>
  )
}

/** Issues for a missing username or password. */
export const hookIssues = (name: string, hook: HookValues) =>
  !hook.auth
    ? []
    : (['username', 'password'] as const)
        .filter((field) => !hook[field])
        .map((field) => ({ path: [name, field], message: BASIC_AUTH_NEEDS_BOTH }))
