import { type ProgramAccess, t } from '@switchroom/contract'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { query, queryClient, send } from '../../lib/api'
import { programs } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { claims } from '../../lib/session'
import { Button } from '../../ui/button'
import { Fact, Facts } from '../../ui/facts'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { RadioField } from '../../ui/radio-field'
import { Section } from '../../ui/section'
import '../second-factor/second-factor.css'

const route = getRouteApi('/internal/connect/$request_id')

const requestQuery = (request_id: string) => query(programs.request, { params: { request_id } })
export const load = (request_id: string) => queryClient.ensureQueryData(requestQuery(request_id))

/** A program asks to act for the person: who it is, what it may, and yes or no. */
export function ConnectProgram() {
  const { request_id } = route.useParams()
  const { data: request } = useSuspenseQuery(requestQuery(request_id))
  const { name, client_id, is_verified, returns_to, use } = request
  const user = claims()
  const mayChange = request.access === 'write' && !user?.is_view_only
  const [access, setAccess] = useState<ProgramAccess>(is_verified && mayChange ? 'write' : 'read')
  const decide = useMutation({
    mutationFn: (allow: ProgramAccess | null) =>
      send(programs.decide, { params: { request_id }, body: { allow } }),
    onSuccess: ({ url }) => location.assign(url),
  })
  return (
    <>
      <PageHeader title={t('Connect {name}', { name })} />
      <div className="form-more">
        <Section
          title={t('Requested access')}
          about={t(
            'Only go on if you have just started this in a program that you trust. It will act as you, and what it does is in the audit log.',
          )}
        >
          {!is_verified && (
            <Notice tone="warn">
              {t('The program says that this is its name. Nobody has verified it.')}
            </Notice>
          )}
          <Facts>
            <Fact name={t('Program')}>
              {is_verified ? name : t('{name} (unverified)', { name })}
            </Fact>
            {!is_verified && <Fact name={t('Client ID')}>{client_id}</Fact>}
            <Fact name={t('Returns to')}>{returns_to ?? t('A program on your own machine')}</Fact>
            <Fact name={t('Acts as')}>{user?.name}</Fact>
            <Fact name={t('Server')}>{location.host}</Fact>
            <Fact name={t('May use')}>
              {use === 'mcp' ? t('The tools for agents') : t('Everything you have access to')}
            </Fact>
          </Facts>
          <RadioField
            label={t('Access')}
            value={access}
            onChange={(next) => setAccess(next === 'write' ? 'write' : 'read')}
            options={[
              { value: 'read', label: t('Read only') },
              ...(mayChange ? [{ value: 'write', label: t('Read and change') }] : []),
            ]}
            help={t('You can disconnect it at any time, under Security.')}
          />
          {decide.error && <Notice tone="bad">{messageOf(decide.error)}</Notice>}
          <div className="button-row">
            <Button look="primary" busy={decide.isPending} onClick={() => decide.mutate(access)}>
              {t('Connect')}
            </Button>
            <Button disabled={decide.isPending} onClick={() => decide.mutate(null)}>
              {t('Refuse')}
            </Button>
          </div>
        </Section>
      </div>
    </>
  )
}
