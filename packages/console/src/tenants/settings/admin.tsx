import { LOG_LEVELS, MIN_PASSWORD_LENGTHS, t } from '@switchroom/contract'
import { useSuspenseQueries } from '@tanstack/react-query'
import { query, send } from '../../lib/api'
import { settings } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { useApiForm } from '../../lib/form'
import { Form } from '../../lib/form-dialog'
import { type ListSearch, oneOf } from '../../lib/list-search'
import { PartlySaved } from '../../lib/partly-saved'
import { useCapabilities } from '../../lib/use-capabilities'
import { Section } from '../../ui/section'
import { toastSuccess } from '../../ui/toast'
import { ApiKeysTable } from '../api-keys/list'
import { TtsCache } from '../tts-cache'
import { SecondFactorSetting } from './second-factor-policy'

export const systemInformationQuery = () => query(settings.systemInformation, {})
export const passwordSettingsQuery = () => query(settings.passwordSettings, {})

/** Settings of the whole platform: system information and password rules. */
export function AdminSettings({ search }: { search: ListSearch }) {
  const isOurs = Boolean(useCapabilities())
  const [{ data: information }, { data: rules }] = useSuspenseQueries({
    queries: [systemInformationQuery(), passwordSettingsQuery()],
  })
  const form = useApiForm({
    endpoint: settings.saveSystemInformation,
    defaultValues: {
      domain_name: information.domain_name ?? '',
      sip_domain_name: information.sip_domain_name ?? '',
      private_network_cidr: information.private_network_cidr ?? '',
      monitoring_domain_name: information.monitoring_domain_name ?? '',
      log_level: oneOf(LOG_LEVELS, information.log_level) ?? 'info',
      min_password_length: String(rules.min_password_length),
      require_digit: rules.require_digit === 1,
      require_special_character: rules.require_special_character === 1,
    },
    toSend: (v) => ({ body: { ...v, private_network_cidr: v.private_network_cidr || null } }),
    // two requests for one button, which succeeds if both do
    save: async (sent, value) => {
      const reply = await send(settings.saveSystemInformation, sent)
      const { require_digit, require_special_character } = value
      const min_password_length = Number(value.min_password_length)
      const body = { min_password_length, require_digit, require_special_character }
      await send(settings.savePasswordSettings, { body }).catch((e) => {
        throw new PartlySaved(
          t('The system information was saved, but the password settings were not: {message}', {
            message: messageOf(e),
          }),
        )
      })
      return reply
    },
    onDone: () => toastSuccess(t('Admin settings updated successfully')),
  })
  // the default may not be among the offered lengths
  const lengths = [...new Set([rules.min_password_length, ...MIN_PASSWORD_LENGTHS])].sort(
    (a, b) => a - b,
  )
  return (
    <>
      <Form form={form}>
        <Section title={t('System information')}>
          <form.TextField name="domain_name" label={t('Domain name')} optional mono />
          <form.TextField name="sip_domain_name" label={t('SIP domain name')} optional mono />
          <form.TextField
            name="private_network_cidr"
            label={t('Private network CIDR')}
            optional
            mono
            help={t('IPv4 addresses or networks, separated by commas.')}
          />
          <form.TextField
            name="monitoring_domain_name"
            label={t('Monitoring domain name')}
            optional
            mono
          />
          <form.SelectField
            name="log_level"
            label={t('Log level')}
            options={LOG_LEVELS.map((v) => ({
              value: v,
              label: v === 'info' ? t('Info') : t('Debug'),
            }))}
          />
        </Section>
        <Section title={t('Passwords')} about={t('Applies to new passwords.')}>
          <form.SelectField
            name="min_password_length"
            label={t('Minimum password length')}
            options={lengths.map((n) => ({ value: String(n), label: String(n) }))}
          />
          <form.Checkbox name="require_digit" label={t('Password require digit')} />
          <form.Checkbox
            name="require_special_character"
            label={t('Password require special character')}
          />
        </Section>
      </Form>
      <div className="form-more">
        <SecondFactorSetting />
        {isOurs && (
          <ApiKeysTable
            owner={{ account_sid: null }}
            label={t('Administrator API keys')}
            about={t(
              'For programs that manage the whole platform. Without limits, a key may do everything an administrator may.',
            )}
            search={search}
          />
        )}
        <TtsCache
          count={query(settings.ttsCache, {})}
          clear={() => send(settings.clearTtsCache, {})}
          question={t('Are you sure you want to clean TTS cache?')}
        />
      </div>
    </>
  )
}
