import {
  accounts,
  DEFAULT_PASSWORD_RULES,
  INVALID_PASSWORD,
  passwordProblems,
  type Role,
  settings,
  type User,
  users,
} from '@switchroom/contract'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { atLeast, mayWrite, ownAccount } from '../lib/access'
import { query, queryClient } from '../lib/api'
import { useCurrentProvider } from '../lib/current-provider'
import { Form, useApiForm } from '../lib/form'
import { type FormLike, formLike } from '../lib/form-like'
import { AccountField } from '../lib/picker-fields'
import { signedIn } from '../lib/session'
import { signOut } from '../lib/session-calls'
import { Button } from '../ui/button'
import { Fact, Facts } from '../ui/form-shell'
import { PageHeader } from '../ui/page-header'
import { DangerZone, Section } from '../ui/section'
import { Sid } from '../ui/sid'
import { toastOk } from '../ui/toast'
import { DeleteUser } from './delete'
import { OwnPassword } from './own-password'
import { roles } from './scope'

const LIST = '/internal/users'
const route = getRouteApi('/internal/users/$user_sid/edit')

const viewOf = (user_sid: string) => query(users.view, { params: { user_sid } })
export const load = ({ user_sid }: { user_sid: string }) =>
  queryClient.ensureQueryData(viewOf(user_sid))

const roleOf = (u: User): Role =>
  u.account_sid ? 'account' : u.service_provider_sid ? 'service_provider' : 'admin'

const valuesOf = (u?: User) => ({
  scope: u ? roleOf(u) : signedIn().scope,
  account_sid: u?.account_sid ?? ownAccount() ?? '',
  is_active: u ? u.is_active === 1 : true,
  is_view_only: u?.is_view_only ?? false,
  name: u?.name ?? '',
  email: u?.email ?? '',
  initial_password: '',
  force_change: u ? u.force_change === 1 : true,
})
type Values = ReturnType<typeof valuesOf>

/** Owners as the chosen scope asks for them. A user without a change of owner is sent without any. */
function owners({ scope, account_sid }: Values, service_provider_sid: string) {
  if (scope === 'admin') return { service_provider_sid: null, account_sid: null }
  if (scope === 'service_provider') return { service_provider_sid, account_sid: null }
  return { account_sid }
}

/** What the form asks for beyond the contract: a password that meets the rules, an account to belong to. */
function useChecks(isNew: boolean) {
  const rules = useQuery(query(settings.passwordSettings, {})).data ?? DEFAULT_PASSWORD_RULES
  const provider = useCurrentProvider()
  const first = useQuery({
    ...query(accounts.ofServiceProvider, {
      params: { service_provider_sid: provider },
      query: { page: 1, page_size: 50, sort: 'name' },
    }),
    enabled: !ownAccount(),
  })
  return (v: Values) => {
    const unmet = v.initial_password ? passwordProblems(v.initial_password, rules) : []
    const noAccount = v.scope === 'account' && !v.account_sid
    const message =
      first.data?.total === 0
        ? 'Cannot create an account. Service Provider has no accounts.'
        : 'Choose an account'
    return [
      ...(noAccount ? [{ path: ['account_sid'], message }] : []),
      ...(isNew && !v.initial_password
        ? [{ path: ['initial_password'], message: 'Required' }]
        : []),
      ...(unmet.length
        ? [
            {
              path: ['initial_password'],
              message: `${INVALID_PASSWORD} Password must: ${unmet.join(', ')}`,
            },
          ]
        : []),
    ]
  }
}

export function NewUser() {
  const navigate = useNavigate()
  const provider = useCurrentProvider()
  const check = useChecks(true)
  const form = useApiForm({
    endpoint: users.create,
    defaultValues: valuesOf(),
    check,
    toSend: ({ scope, account_sid, ...v }) => ({
      body: { ...v, ...owners({ scope, account_sid, ...v }, provider) },
    }),
    onDone: () => {
      toastOk('User created successfully')
      return navigate({ to: LIST })
    },
  })
  return (
    <>
      <PageHeader title="Add new user" />
      <Form form={form} isNew cancelHref={LIST}>
        <Fields form={formLike(form)} isNew />
      </Form>
    </>
  )
}

export function EditUser() {
  const { user_sid } = route.useParams()
  const { data } = useSuspenseQuery(viewOf(user_sid))
  return <Edit key={user_sid} user={data} />
}

function Edit({ user }: { user: User }) {
  const navigate = useNavigate()
  const provider = useCurrentProvider()
  const check = useChecks(false)
  const [deleting, setDeleting] = useState(false)
  const { user_sid } = user
  const oneself = user_sid === signedIn().user_sid
  const before = valuesOf(user)
  const form = useApiForm({
    endpoint: users.update,
    defaultValues: before,
    check,
    toSend: (v) => {
      const { scope, account_sid, initial_password, ...rest } = v
      const moved = scope !== before.scope || account_sid !== before.account_sid
      return {
        params: { user_sid },
        body: {
          ...rest,
          ...(initial_password && { initial_password }),
          ...(moved && owners(v, user.service_provider_sid ?? provider)),
        },
      }
    },
    onDone: (_, v) => {
      // what ends one's own session ends it here too, with a word
      const ended = oneself && (!v.is_active || v.initial_password || v.is_view_only)
      if (ended && !before.is_view_only) return signOut()
      toastOk('User updated successfully')
      form.reset({ ...v, initial_password: '' })
    },
  })
  return (
    <>
      <PageHeader title="Edit user" />
      <Form
        form={form}
        cancelHref={LIST}
        aside={
          <Facts>
            <Fact name="User SID">
              <Sid sid={user_sid} />
            </Fact>
            <Fact name="Signs in with">
              {user.provider === 'local' ? 'Password' : user.provider}
            </Fact>
          </Facts>
        }
      >
        <Fields form={formLike(form)} isNew={false} />
      </Form>
      <div className="form-more">
        {oneself && user.provider === 'local' && <OwnPassword user_sid={user_sid} />}
        {mayWrite() && (
          <DangerZone
            title="Delete User"
            action={
              <Button look="danger" onClick={() => setDeleting(true)}>
                Delete User
              </Button>
            }
          >
            {oneself ? 'You are signed out at once.' : 'The user is signed out at once.'}
          </DangerZone>
        )}
      </div>
      {deleting && (
        <DeleteUser
          user={user}
          onClose={() => setDeleting(false)}
          onDeleted={() => navigate({ to: LIST, ignoreBlocker: true })}
        />
      )}
    </>
  )
}

function Fields({ form, isNew }: { form: FormLike; isNew: boolean }) {
  return (
    <>
      <Section title="Access">
        {atLeast('service_provider') && (
          <form.AppField name="scope">
            {(f) => <f.SelectField label="Scope" options={roles()} />}
          </form.AppField>
        )}
        {!ownAccount() && (
          <form.Subscribe selector={(s) => (s.values as Values).scope === 'account'}>
            {(ofAccount) =>
              ofAccount && (
                <form.AppField name="account_sid">
                  {() => <AccountField none="No accounts." />}
                </form.AppField>
              )
            }
          </form.Subscribe>
        )}
        {!isNew && (
          <form.AppField name="is_active">
            {(f) => <f.Switch label="User is active" help="An inactive user cannot sign in." />}
          </form.AppField>
        )}
        <form.AppField name="is_view_only">
          {(f) => (
            <f.Switch label="View-only User" help="Sees everything in scope and changes nothing." />
          )}
        </form.AppField>
      </Section>
      <Section title="User">
        <form.AppField name="name">
          {(f) => <f.TextField label="User name" placeholder="User Name" />}
        </form.AppField>
        <form.AppField name="email">
          {(f) => <f.TextField label="User email" type="email" placeholder="User Email" />}
        </form.AppField>
        <form.AppField name="initial_password">
          {(f) => (
            <f.PasswordField
              label="Temporary password"
              autoComplete="new-password"
              optional={!isNew}
              help={isNew ? undefined : 'Left empty, the password stays as it is.'}
            />
          )}
        </form.AppField>
        <form.AppField name="force_change">
          {(f) => <f.Checkbox label="Force change of password" />}
        </form.AppField>
      </Section>
    </>
  )
}
