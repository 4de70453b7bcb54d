import { t } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { atLeast, mayWrite } from '../../lib/access'
import { query } from '../../lib/api'
import { config } from '../../lib/config'
import { DeleteDialog } from '../../lib/delete-dialog'
import { DeleteZone } from '../../lib/delete-zone'
import { type Reply, serviceProviders } from '../../lib/endpoints'
import { useApiForm } from '../../lib/form'
import { Form } from '../../lib/form-dialog'
import { formLike } from '../../lib/form-like'
import { Section } from '../../ui/section'
import { toastSuccess } from '../../ui/toast'
import { LimitFields, limitsToSend, limitValues } from '../limit-fields'

export const providerOf = (service_provider_sid: string) =>
  query(serviceProviders.view, { params: { service_provider_sid } })

/** In the hosted variant only the operator sets a provider's limits. */
const hasLimits = () => !config.ENABLE_HOSTED_SYSTEM || atLeast('admin')

const valuesOf = (provider: Reply<typeof serviceProviders.view>) => ({
  name: provider.name,
  root_domain: provider.root_domain ?? '',
  teams: !!provider.ms_teams_fqdn,
  ms_teams_fqdn: provider.ms_teams_fqdn ?? '',
  limits: limitValues(provider.limits ?? []),
})

export function ProviderSettings({ service_provider_sid }: { service_provider_sid: string }) {
  const provider = useSuspenseQuery(providerOf(service_provider_sid)).data
  const form = useApiForm({
    endpoint: serviceProviders.update,
    defaultValues: valuesOf(provider),
    edits: { version: provider.version, valuesOf },
    check: (v) =>
      v.teams && !v.ms_teams_fqdn.trim()
        ? [{ path: ['ms_teams_fqdn'], message: t('Required') }]
        : [],
    toSend: (v) => ({
      params: { service_provider_sid },
      body: {
        name: v.name,
        ms_teams_fqdn: v.teams ? v.ms_teams_fqdn : null,
        ...(config.ENABLE_HOSTED_SYSTEM && { root_domain: v.root_domain }),
        ...(hasLimits() && { limits: limitsToSend(v.limits) }),
      },
    }),
    onDone: () => toastSuccess(t('Settings updated')),
  })
  return (
    <Form form={form}>
      <Section title={t('Service provider')}>
        <form.TextField
          name="name"
          label={t('Service provider name')}
          placeholder={t('Service provider name')}
        />
        {config.ENABLE_HOSTED_SYSTEM && (
          <form.TextField
            name="root_domain"
            label={t('Root domain')}
            optional
            mono
            placeholder="sip.example.com"
            help={t(
              'New accounts choose a subdomain of it as their SIP realm. Nobody can register without it.',
            )}
          />
        )}
        {hasLimits() && <LimitFields form={formLike(form)} />}
      </Section>
      <Section title={t('Microsoft Teams')}>
        <form.AppField name="teams">
          {(f) => (
            <f.Switch label={t('Enable MS Teams Direct Routing')}>
              <form.TextField
                name="ms_teams_fqdn"
                label={t('SBC domain name')}
                mono
                placeholder={t('Fully qualified domain name used for MS Teams')}
              />
            </f.Switch>
          )}
        </form.AppField>
      </Section>
    </Form>
  )
}

/** For administrators. Once the last one is gone, the console asks for a new one. */
export function DeleteProvider({ service_provider_sid }: { service_provider_sid: string }) {
  const provider = useSuspenseQuery(providerOf(service_provider_sid)).data
  if (!atLeast('admin') || !mayWrite()) return null
  return (
    <DeleteZone
      title={t('Delete service provider')}
      next="/internal/accounts"
      dialog={(callbacks) => (
        <DeleteDialog
          endpoint={serviceProviders.remove}
          sent={{ params: { service_provider_sid } }}
          title={t('Delete service provider')}
          question={t('Are you sure you want to delete the service provider {name}?', {
            name: provider.name,
          })}
          typeName={provider.name}
          used={{ kind: 'service_provider', sid: service_provider_sid }}
          done={t('Deleted service provider {name}', { name: provider.name })}
          {...callbacks}
        />
      )}
    >
      {t(
        'Its carriers, speech services and API keys are deleted too. First delete its accounts and users.',
      )}
    </DeleteZone>
  )
}
