import { BASIC_AUTH_NEEDS_BOTH, WEBHOOK_METHODS } from '@switchroom/contract'
import { useRef } from 'react'
import type { FormLike } from '../lib/form-like'
import './webhook-fields.css'

/** A webhook as a form holds it. `auth` is whether a name and password are sent with it. */
export type HookValues = {
  url: string
  method: string
  auth: boolean
  username: string
  password: string
}
export const isSocket = (url: string) => /^wss?:/i.test(url)

type Stored = { url: string; method: string; username: string | null; password: string | null }

/** `methods`: those the form offers, so that it never holds another than it shows. */
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

/**
 * Unticking authentication takes the name and password away; the rest of the hook stays. A socket is
 * opened with GET: the schema makes it so.
 */
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
  offered,
}: {
  form: FormLike<Record<N, HookValues>>
  /** The member of the form: `call_hook`. */
  name: N
  label: string
  placeholder?: string
  help?: string
  methods?: readonly string[]
  optional?: boolean
  /** After another address was entered and its field left, for what follows it. */
  onUrl?: (url: string) => void
  /** Whether nobody typed this address: then it is selected where its field is entered, to be typed over. */
  offered?: (url: string) => boolean
}) {
  const url = () => form.getFieldValue(name).url
  const before = useRef('')
  return (
    <div className="webhook">
      <div className="webhook-line">
        <form.AppField name={`${name}.url`}>
          {(f) => (
            <f.TextField
              label={label}
              placeholder={placeholder}
              help={help}
              optional={optional}
              inputMode="url"
              mono
              onFocus={({ currentTarget }) => {
                before.current = url()
                // after the click has set its caret
                if (offered?.(url())) setTimeout(() => currentTarget.select())
              }}
              onBlur={() => {
                if (url() !== before.current) onUrl?.(url())
              }}
            />
          )}
        </form.AppField>
        <form.Subscribe selector={(s) => isSocket(s.values[name].url)}>
          {(socket) => (
            <form.AppField name={`${name}.method`}>
              {(f) => (
                <f.SelectField
                  label="Method"
                  // a socket is opened with GET, whatever was chosen; the choice is back with another address
                  options={(socket ? ['GET'] : methods).map((m) => ({ value: m, label: m }))}
                  disabled={socket}
                />
              )}
            </form.AppField>
          )}
        </form.Subscribe>
      </div>
      <form.AppField name={`${name}.auth`}>
        {(f) => (
          <f.Checkbox label="Use HTTP basic authentication">
            <div className="webhook-auth">
              <div className="columns">
                <form.AppField name={`${name}.username`}>
                  {(u) => <u.TextField label="Username" />}
                </form.AppField>
                <form.AppField name={`${name}.password`}>
                  {(p) => <p.PasswordField label="Password" />}
                </form.AppField>
              </div>
              <p className="field-help">{BASIC_AUTH_NEEDS_BOTH}</p>
            </div>
          </f.Checkbox>
        )}
      </form.AppField>
    </div>
  )
}

/** Both halves are needed; the one that is missing is marked. */
export const hookIssues = (name: string, hook: HookValues) =>
  !hook.auth
    ? []
    : (['username', 'password'] as const)
        .filter((field) => !hook[field])
        .map((field) => ({ path: [name, field], message: BASIC_AUTH_NEEDS_BOTH }))
