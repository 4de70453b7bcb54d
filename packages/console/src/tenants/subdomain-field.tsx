import { isSubdomain, SUBDOMAIN_MIN, t } from '@switchroom/contract'
import { CircleCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { send } from '../lib/api'
import { registration } from '../lib/endpoints'
import { messageOf } from '../lib/failure'
import { Button } from '../ui/button'
import { Field } from '../ui/field'
import './subdomain-field.css'

const PAUSE = 500
const LONGEST_REALM = 132

type Answer = { realm: string; available?: boolean; failure?: string }
type Availability = 'unknown' | 'invalid' | 'checking' | 'available' | 'taken' | 'failed'

/** Checks whether a subdomain is available, after a pause in typing. */
export function useSubdomain(root: string) {
  const [name, setName] = useState('')
  const [answer, setAnswer] = useState<Answer>()
  const [tries, setTries] = useState(0)
  const realm = `${name}.${root}`
  const fits = isSubdomain(name) && realm.length <= LONGEST_REALM

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks again
  useEffect(() => {
    if (!fits) return
    let typedOn = false
    const take = (result: Omit<Answer, 'realm'>) => typedOn || setAnswer({ realm, ...result })
    const timer = setTimeout(() => {
      send(registration.availability, { query: { type: 'subdomain', value: realm } }).then(
        take,
        (e) => take({ failure: messageOf(e) }),
      )
    }, PAUSE)
    return () => {
      typedOn = true
      clearTimeout(timer)
    }
  }, [fits, realm, tries])

  const current = answer?.realm === realm ? answer : undefined
  return {
    name,
    root,
    realm,
    failure: current?.failure,
    state: stateOf(name, fits, current),
    type: (text: string) => {
      setAnswer(undefined)
      setName(text.trim().toLowerCase())
    },
    /** The subdomain has just been taken, or the server is down. */
    refuse: (failure: string) => setAnswer({ realm, failure }),
    again: () => {
      setAnswer(undefined)
      setTries(tries + 1)
    },
  }
}
type Subdomain = ReturnType<typeof useSubdomain>

function stateOf(name: string, fits: boolean, current: Answer | undefined): Availability {
  if (name.length < SUBDOMAIN_MIN && /^[a-z0-9-]*$/.test(name)) return 'unknown'
  if (!fits) return 'invalid'
  if (!current) return 'checking'
  if (current.failure) return 'failed'
  return current.available ? 'available' : 'taken'
}

export function SubdomainField({
  subdomain,
  autoFocus = false,
}: {
  subdomain: Subdomain
  autoFocus?: boolean
}) {
  const { name, root, realm, state, failure, type, again } = subdomain
  const input = useRef<HTMLInputElement>(null)
  const text = {
    unknown: t('At least {SUBDOMAIN_MIN} letters or digits', { SUBDOMAIN_MIN }),
    invalid: t('Only letters, digits and hyphens, at most 63, and no hyphen at either end'),
    checking: t('Checking…'),
    available: t('{realm} is available', { realm }),
    taken: t('{realm} is not available', { realm }),
    failed: failure ?? '',
  }[state]
  const wrong = state === 'invalid' || state === 'taken' || state === 'failed'
  return (
    <div className="subdomain">
      <Field
        label={t('Subdomain')}
        {...(wrong && { error: text })}
        help={
          state === 'available' ? (
            <span className="subdomain-free">
              <CircleCheck aria-hidden />
              {text}
            </span>
          ) : (
            text
          )
        }
      >
        {(control) => (
          <div className="subdomain-line">
            <input
              {...control}
              ref={input}
              className="input input-mono"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              // biome-ignore lint/a11y/noAutofocus: where the page is about nothing else
              autoFocus={autoFocus}
              placeholder={t('Your name here')}
              value={name}
              onChange={(e) => type(e.target.value)}
            />
            <span className="subdomain-root">.{root}</span>
          </div>
        )}
      </Field>
      {state === 'failed' && (
        <Button
          size="small"
          onClick={() => {
            input.current?.focus()
            again()
          }}
        >
          {t('Try again')}
        </Button>
      )}
      <span className="visually-hidden" role="status">
        {state === 'unknown' || state === 'checking' ? '' : text}
      </span>
    </div>
  )
}
