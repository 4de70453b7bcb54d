import type { Session, SessionMethod } from '@switchroom/contract'
import { type UseQueryResult, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { mayWrite } from '../lib/access'
import { query, send } from '../lib/api'
import { config } from '../lib/config'
import { sessions } from '../lib/endpoints'
import { messageOf } from '../lib/failure'
import { LoadError } from '../lib/load-error'
import { Button } from '../ui/button'
import { ConfirmDialog } from '../ui/confirm-dialog'
import { Notice } from '../ui/notice'
import { Section } from '../ui/section'
import { LoadingState } from '../ui/states'
import { Status } from '../ui/status'
import { Time } from '../ui/time'
import { toastSuccess } from '../ui/toast'
import './sessions.css'

const METHODS: Record<SessionMethod, string> = {
  password: 'password',
  passkey: 'passkey',
  single_sign_on: 'single sign-on',
  github: 'GitHub',
  google: 'Google',
  reset_link: 'a password reset link',
  registration: 'registration',
  platform_server: 'another API server',
}

const clientOf = ({ browser, client, system }: Session) =>
  [browser ?? (client && `Other client: ${client}`), system].filter(Boolean).join(' on ') ||
  'Unknown client'

/** One's own open sessions, which view-only users may end too. */
export function OwnSessions() {
  return (
    <Sessions
      about="Where you are logged in. End a session that you do not recognize, and change your password."
      found={useQuery(query(sessions.list, {}))}
      may
      end={(session_sid) => send(sessions.end, { params: { session_sid } })}
      endAll={() => send(sessions.endOthers, {})}
      all={{
        action: 'End all other sessions',
        question: 'You stay logged in here, and are logged out everywhere else.',
      }}
    />
  )
}

type User = { user_sid: string; name: string }

/** The open sessions of a user, for those who manage the user. */
export const UserSessions = ({ user }: { user: User }) =>
  config.capabilities && <SessionsOf user={user} />

function SessionsOf({ user: { user_sid, name } }: { user: User }) {
  const params = { user_sid }
  return (
    <Sessions
      about={`Where ${name} is logged in.`}
      found={useQuery(query(sessions.ofUser, { params }))}
      may={mayWrite()}
      end={(session_sid) => send(sessions.endOfUser, { params: { user_sid, session_sid } })}
      endAll={() => send(sessions.endAllOfUser, { params })}
      all={{ action: 'End all sessions', question: `${name} is logged out everywhere.` }}
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
    onSuccess: () => toastSuccess('Session ended'),
  })
  const endMany = useMutation({
    mutationFn: endAll,
    onSuccess: () => {
      setConfirming(false)
      toastSuccess('Sessions ended')
    },
  })
  const others = data?.filter((s) => !s.is_current) ?? []
  return (
    <Section title="Sessions" about={about}>
      {endOne.error && <Notice tone="bad">{messageOf(endOne.error)}</Notice>}
      {!data && error && <LoadError error={error} retry={found.refetch} />}
      {!data && !error && <LoadingState text="Loading sessions" />}
      {data?.length === 0 && <p className="session-where">Not logged in anywhere.</p>}
      {data && data.length > 0 && (
        <ul className="sessions" aria-label="Sessions">
          {data.map((session) => (
            <Line key={session.session_sid} session={session}>
              {may && !session.is_current && (
                <Button
                  size="small"
                  aria-label={`End session: ${clientOf(session)}, ${session.last_ip}`}
                  busy={endOne.isPending && endOne.variables === session.session_sid}
                  onClick={() => endOne.mutate(session.session_sid)}
                >
                  End session
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
          {is_current && <Status tone="ok">This session</Status>}
        </div>
        <p className="session-where">
          Logged in <Time at={began_at} /> from {ip} with {METHODS[method]}
        </p>
        <p className="session-where">
          Last seen <Time at={last_seen_at} />
          {last_ip !== ip && ` from ${last_ip}`}
        </p>
      </div>
      {children}
    </li>
  )
}
