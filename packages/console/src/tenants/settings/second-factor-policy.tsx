import { type SecondFactorPolicy, t } from '@switchroom/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { mayWrite } from '../../lib/access'
import { query, send } from '../../lib/api'
import { isSwitchroom } from '../../lib/config'
import { secondFactor } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { LoadError } from '../../lib/load-error'
import { Notice } from '../../ui/notice'
import { Section } from '../../ui/section'
import { toastSuccess } from '../../ui/toast'
import { Switch } from '../../ui/toggle'

/** Requires a second factor of the users of a provider, or of administrators. */
export const SecondFactorSetting = (props: { service_provider_sid?: string }) =>
  isSwitchroom() && <Shown {...props} />

function Shown({ service_provider_sid }: { service_provider_sid?: string }) {
  const params = service_provider_sid ? { service_provider_sid } : undefined
  const policy = useQuery(
    params ? query(secondFactor.policy, { params }) : query(secondFactor.administratorPolicy, {}),
  )
  const save = useMutation({
    mutationFn: (body: SecondFactorPolicy) =>
      params
        ? send(secondFactor.savePolicy, { params, body })
        : send(secondFactor.saveAdministratorPolicy, { body }),
    onSuccess: (_, { is_required }) =>
      toastSuccess(is_required ? t('Second factor required') : t('Second factor optional')),
  })
  if (policy.error)
    return (
      <Section title={t('Second factor')}>
        <LoadError error={policy.error} retry={policy.refetch} />
      </Section>
    )
  // the new value while it is being saved
  const value = save.isPending ? save.variables.is_required : policy.data?.is_required
  return (
    <Section title={t('Second factor')}>
      <Switch
        label={
          params
            ? t('Require a second factor of all users')
            : t('Require a second factor of administrators')
        }
        help={
          params
            ? t(
                'Applies to this service provider and its accounts. Users without a second factor are logged out and set one up at their next log-in.',
              )
            : t('Administrators without one are logged out and set it up at their next log-in.')
        }
        disabled={value === undefined || save.isPending || !mayWrite()}
        value={value ?? false}
        onChange={(is_required) => save.mutate({ is_required })}
      />
      {save.error && <Notice tone="bad">{messageOf(save.error)}</Notice>}
    </Section>
  )
}
