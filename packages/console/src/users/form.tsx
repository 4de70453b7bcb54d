import { NOT_THEIR_MANAGER, t, type UserView } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { mayWrite } from '../lib/access'
import { users } from '../lib/endpoints'
import { useApiForm } from '../lib/form'
import { Form } from '../lib/form-dialog'
import { formLike } from '../lib/form-like'
import { requireClaims } from '../lib/session'
import { logOut } from '../lib/session-calls'
import { EditHead } from '../lib/thing-head'
import { useCurrentProvider } from '../lib/use-provider'
import { Fact, Facts } from '../ui/facts'
import { Notice } from '../ui/notice'
import { PageHeader } from '../ui/page-header'
import { DangerZone } from '../ui/section'
import { Sid } from '../ui/sid'
import { toastSuccess } from '../ui/toast'
import { useProof } from './ask-proof'
import { DeleteUser } from './delete'
import { Fields } from './fields'
import { logsInWith } from './logs-in-with'
import { mayManageUser } from './may-manage'
import { OwnPassword } from './own-password'
import { viewOf } from './queries'
import { UserSecondFactor } from './second-factor'
import { UserSessions } from './sessions'
import {
  asksForProof,
  changesOwner,
  endsSessions,
  managing,
  owners,
  useUserChecks,
  type Values,
  valuesOf,
} from './values'

const LIST = '/internal/users'
/** Stands for one's own password in what is shown as code. */
const PLACEHOLDER = 'your password'
export const route = getRouteApi('/internal/users/$user_sid/edit')

export const NewUser = () =>
  mayManageUser() ? <AddForm /> : <Notice tone="bad">{NOT_THEIR_MANAGER}</Notice>

function AddForm() {
  const navigate = useNavigate()
  const provider = useCurrentProvider()
  const check = useUserChecks()
  const form = useApiForm({
    endpoint: users.create,
    defaultValues: valuesOf(),
    check,
    toSend: ({ scope, account_sid, manages_users, ...v }) => ({
      body: {
        ...v,
        ...managing({ scope, manages_users, ...v }),
        ...owners({ scope, account_sid, ...v }, provider),
      },
    }),
    onDone: () => {
      toastSuccess(t('User created successfully'))
      return navigate({ to: LIST })
    },
  })
  return (
    <>
      <PageHeader title={t('Add new user')} />
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

export function Edit({ user }: { user: UserView }) {
  const navigate = useNavigate()
  const provider = useCurrentProvider()
  const check = useUserChecks()
  const [deleting, setDeleting] = useState(false)
  const { user_sid } = user
  const oneself = user_sid === requireClaims().user_sid
  const proof = useProof(oneself)
  const before = valuesOf(user)
  /** A password that somebody else knows has to be changed. */
  const isForced = (v: Values) => !oneself && asksForProof(v)
  const form = useApiForm({
    endpoint: users.update,
    defaultValues: before,
    edits: { version: user.version, valuesOf: (view: UserView) => valuesOf(view) },
    check,
    asking: (sent, v, send) =>
      asksForProof(v)
        ? proof.ask((given) => send({ ...sent, body: { ...sent.body, proof: given } }))
        : send(sent),
    requests: (sent, v) => {
      const body = { ...sent.body, ...(asksForProof(v) && { proof: { password: PLACEHOLDER } }) }
      return [{ endpoint: users.update, sent: { ...sent, body } }]
    },
    toSend: (v) => {
      const { scope: _, account_sid: __, manages_users: ___, initial_password, ...rest } = v
      return {
        params: { user_sid },
        body: {
          ...rest,
          ...managing(v),
          ...(initial_password && { initial_password }),
          ...(isForced(v) && { force_change: true }),
          ...(changesOwner(v, before) && owners(v, user.service_provider_sid ?? provider)),
        },
      }
    },
    onDone: (_, v) => {
      // a change that ends one's own session logs out here, with a notice
      if (oneself && endsSessions(v, before)) return logOut()
      toastSuccess(t('User updated successfully'))
      form.reset({ ...v, initial_password: '', ...(isForced(v) && { force_change: true }) })
    },
  })
  return (
    <>
      <EditHead kind="user" sid={user_sid} name={user.name} owner={user} title={t('Edit user')} />
      {mayWrite() && !mayManageUser(user_sid) && <Notice tone="info">{NOT_THEIR_MANAGER}</Notice>}
      <Form
        form={form}
        readOnly={!mayManageUser(user_sid)}
        cancelHref={LIST}
        aside={
          <Facts>
            <Fact name={t('User SID')}>
              <Sid sid={user_sid} />
            </Fact>
            <Fact name={t('Logs in with')}>{logsInWith(user.provider)}</Fact>
          </Facts>
        }
        more={
          <>
            {oneself && user.provider === 'local' && <OwnPassword user_sid={user_sid} />}
            <UserSecondFactor user={user} oneself={oneself} />
            {!oneself && mayManageUser(user_sid) && <UserSessions user={user} />}
            {mayManageUser(user_sid) && (
              <DangerZone title={t('Delete user')} onDelete={() => setDeleting(true)}>
                {oneself
                  ? t('You are logged out immediately.')
                  : t('The user is logged out immediately.')}
              </DangerZone>
            )}
          </>
        }
      >
        <Fields
          form={formLike(form)}
          isNew={false}
          oneself={oneself}
          hasPassword={user.provider === 'local' || user.force_change === 1}
        />
      </Form>
      {proof.question}
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
