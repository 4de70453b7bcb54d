import { type Session, type SessionMethod, t } from '@switchroom/contract'
import { type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { mayWrite } from '../lib/access'
import { query, send } from '../lib/api'
import { isSwitchroom } from '../lib/config'
import { sessions } from '../lib/endpoints'
import { messageOf } from '../lib/failure'
import { LoadError } from '../lib/load-error'
import { Button } from '../ui/button'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { Notice } from '../ui/notice'
import { rich } from '../ui/rich'
import { Section } from '../ui/section'
import { LoadingState } from '../ui/states'
import { Status } from '../ui/status'
import { Time } from '../ui/time'
import { toastSuccess } from '../ui/toast'
import './sessions.css'

type LogIn = { time: ReactNode; ip: string }

const LOGGED_IN: Record<SessionMethod, (values: LogIn) => ReactNode> = {
  password: (values) => rich('Logged in {time} from {ip} with password', values),
  passkey: (values) => rich('Logged in {time} from {ip} with passkey', values),
  single_sign_on: (values) => rich('Logged in {time} from {ip} with single sign-on', values),
  github: (values) => rich('Logged in {time} from {ip} with GitHub', values),
  google: (values) => rich('Logged in {time} from {ip} with Google', values),
  reset_link: (values) => rich('Logged in {time} from {ip} with a password reset link', values),
  registration: (values) => rich('Logged in {time} from {ip} with registration', values),
  program: (values) => rich('Connected {time} from {ip}', values),
  platform_server: (values) => rich('Logged in {time} from {ip} with another API server', values),
}

function connected({ name, use, access }: NonNullable<Session['program']>) {
  if (use === 'api') return access === 'read' ? t('{name}, read only', { name }) : name
  return access === 'read'
    ? t('{name}, as an agent, read only', { name })
    : t('{name}, as an agent', { name })
}

function clientOf({ browser, client, system, program: itself }: Session) {
  if (itself) return connected(itself)
  const program = browser ?? (client && t('Other client: {client}', { client }))
  if (program && system) return t('{program} on {system}', { program, system })
  return program || system || t('Unknown client')
}

/** One's own open sessions, which view-only users may end too. */
export function OwnSessions() {
  return (
    <Sessions
      about={t(
        'Where you are logged in. End a session that you do not recognize, and change your password.',
      )}
      found={useQuery(query(sessions.list, {}))}
      may
      end={(session_sid) => send(sessions.end, { params: { session_sid } })}
      endAll={() => send(sessions.endOthers, {})}
      all={{
        action: t('End all other sessions'),
        question: t('You stay logged in here, and are logged out everywhere else.'),
      }}
    />
  )
}

type User = { user_sid: string; name: string }

/** The open sessions of a user, for those who manage the user. */
export const UserSessions = ({ user }: { user: User }) =>
  isSwitchroom() && <SessionsOf user={user} />

function SessionsOf({ user: { user_sid, name } }: { user: User }) {
  const params = { user_sid }
  return (
    <Sessions
      about={t('Where {name} is logged in.', { name })}
      found={useQuery(query(sessions.ofUser, { params }))}
      may={mayWrite()}
      end={(session_sid) => send(sessions.endOfUser, { params: { user_sid, session_sid } })}
      endAll={() => send(sessions.endAllOfUser, { params })}
      all={{
        action: t('End all sessions'),
        question: t('{name} is logged out everywhere.', { name }),
      }}
    />
  )
}

type Props = {
  about: string
  found: UseQueryResult<Session[]>
  may: boolean
  end: (session_sid: string) => Promise<unknown>
  endAll: () => Promise<unknown>
  all: { action: string; question: string }
}

function Sessions({ about, found, may, end, endAll, all }: Props) {
  const [confirming, setConfirming] = useState(false)
  const { data, error } = found
  const endOne = useMutation({
    mutationFn: end,
    onSuccess: () => toastSuccess(t('Session ended')),
  })
  const endMany = useMutation({
    mutationFn: endAll,
    onSuccess: () => {
      setConfirming(false)
      toastSuccess(t('Sessions ended'))
    },
  })
  const others = data?.filter((s) => !s.is_current) ?? []
  return (
    <Section title={t('Sessions')} about={about}>
      {endOne.error && <Notice tone="bad">{messageOf(endOne.error)}</Notice>}
      {!data && error && <LoadError error={error} retry={found.refetch} />}
      {!data && !error && <LoadingState text={t('Loading sessions')} />}
      {data?.length === 0 && <p className="session-where">{t('Not logged in anywhere.')}</p>}
      {data && data.length > 0 && (
        <ul className="sessions" aria-label={t('Sessions')}>
          {data.map((session) => (
            <Line key={session.session_sid} session={session}>
              {may && !session.is_current && (
                <Button
                  size="small"
                  aria-label={t('End session: {client}, {last_ip}', {
                    client: clientOf(session),
                    last_ip: session.last_ip,
                  })}
                  busy={endOne.isPending && endOne.variables === session.session_sid}
                  onClick={() => endOne.mutate(session.session_sid)}
                >
                  {t('End session')}
                </Button>
              )}
            </Line>
          ))}
        </ul>
      )}
      {may && others.length > 0 && (
        <div>
          <Button size="small" onClick={() => setConfirming(true)}>
            {all.action}
          </Button>
        </div>
      )}
      {confirming && (
        <ConfirmDialog
          open
          onClose={() => setConfirming(false)}
          title={all.action}
          confirm={all.action}
          busy={endMany.isPending}
          error={endMany.error ? messageOf(endMany.error) : undefined}
          onConfirm={() => endMany.mutate()}
        >
          {all.question}
        </ConfirmDialog>
      )}
    </Section>
  )
}

function Line({ session, children }: { session: Session; children: ReactNode }) {
  const { method, began_at, last_seen_at, ip, last_ip, is_current } = session
  return (
    <li>
      <div>
        <div className="session-what">
          {clientOf(session)}
          {is_current && <Status tone="ok">{t('This session')}</Status>}
        </div>
        <p className="session-where">{LOGGED_IN[method]({ time: <Time at={began_at} />, ip })}</p>
        <p className="session-where">
          {last_ip === ip
            ? rich('Last seen {time}', { time: <Time at={last_seen_at} /> })
            : rich('Last seen {time} from {ip}', {
                time: <Time at={last_seen_at} />,
                ip: last_ip,
              })}
        </p>
      </div>
      {children}
    </li>
  )
}
