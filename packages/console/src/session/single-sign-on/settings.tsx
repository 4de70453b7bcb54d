import { fromServer, type Lockable, t } from '@switchroom/contract'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { mayWrite } from '../../lib/access'
import { queryClient, send } from '../../lib/api'
import { singleSignOn } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { useApiForm } from '../../lib/form'
import { Form } from '../../lib/form-dialog'
import { formLike } from '../../lib/form-like'
import { Button } from '../../ui/button'
import { CopyBox } from '../../ui/copy-box'
import { Fact, Facts } from '../../ui/facts'
import { ReadOnlyFields } from '../../ui/field'
import { Notice } from '../../ui/notice'
import { PageHeader } from '../../ui/page-header'
import { Section } from '../../ui/section'
import { Time } from '../../ui/time'
import { toastSuccess } from '../../ui/toast'
import { BreakGlassUsers } from './break-glass'
import { Directories } from './directories'
import { Rules } from './rules'
import { TryRules } from './try-rules'
import { settingsQuery, toSend, type View, valuesOf } from './values'
import './single-sign-on.css'

export const load = () => queryClient.ensureQueryData(settingsQuery())

export function SingleSignOnSettings() {
  const { data: view } = useSuspenseQuery(settingsQuery())
  const form = useApiForm({
    endpoint: singleSignOn.update,
    defaultValues: valuesOf(view),
    edits: { version: view.version, valuesOf: (current: View) => valuesOf(current) },
    toSend: (v) => toSend(v, view),
    onDone: () => toastSuccess(t('Single sign-on settings updated')),
  })
  /** The help of a field, or that a variable sets it. */
  const field = (name: Lockable, help?: string) => {
    const variable = view.locked[name]
    return variable
      ? { disabled: true, help: t('Set by {variable}.', { variable }) }
      : { ...(help !== undefined && { help }) }
  }
  const problem = view.enforcement_problem && fromServer(view.enforcement_problem)
  return (
    <>
      <PageHeader title={t('Single sign-on')} />
      <Form
        form={form}
        aside={
          <Facts>
            <Fact name={t('First log-in with these settings')}>
              <Time at={view.tested_at} none={t('Not yet')} />
            </Fact>
          </Facts>
        }
      >
        <Section
          title={t('Identity provider')}
          about={t('Any OpenID Connect provider, such as Entra ID, Okta or Keycloak.')}
        >
          <form.Switch
            name="is_active"
            label={t('Log in with single sign-on')}
            {...field('is_active', t('Adds a button to the log-in page.'))}
          />
          <form.TextField
            name="name"
            label={t('Name')}
            {...field('name', t('Shown on the button.'))}
          />
          <form.TextField
            name="issuer"
            label={t('Issuer')}
            mono
            inputMode="url"
            placeholder="https://login.example.com"
            {...field('issuer')}
          />
          {mayWrite() && (
            <form.Subscribe selector={(s) => s.values.issuer}>
              {(issuer) => <CheckIssuer key={issuer} issuer={issuer} />}
            </form.Subscribe>
          )}
          <form.TextField name="client_id" label={t('Client ID')} mono {...field('client_id')} />
          <ReadOnlyFields value={!mayWrite() || view.locked.client_secret !== undefined}>
            <form.SecretField
              name="client_secret"
              label={t('Client secret')}
              optional
              isSet={view.client_secret !== null}
              {...field('client_secret')}
            />
          </ReadOnlyFields>
          <form.TextField name="scopes" label={t('Scopes')} mono {...field('scopes')} />
          <form.TextField
            name="directory_claim"
            label={t('SCIM ID claim')}
            mono
            {...field(
              'directory_claim',
              t('The claim that equals externalId in SCIM. For Entra ID: oid.'),
            )}
          />
        </Section>
        <Section title={t('Addresses')} about={t('Register these at your identity provider.')}>
          <CopyBox label={t('Redirect URI')} value={view.redirect_uri} />
          <CopyBox label={t('Post-logout redirect URI')} value={view.log_out_uri} />
          <CopyBox label={t('Back-channel logout URI')} value={view.backchannel_logout_uri} />
        </Section>
        <Section
          title={t('Access rules')}
          about={t(
            'The first rule that matches decides, at every log-in. Without a match nobody gets in.',
          )}
        >
          {view.locked.rules && (
            <Notice tone="info">{t('Set by {rules}.', { rules: view.locked.rules })}</Notice>
          )}
          <ReadOnlyFields value={!mayWrite() || view.locked.rules !== undefined}>
            <Rules form={formLike(form)} />
          </ReadOnlyFields>
          {mayWrite() && <TryRules rules={() => form.state.values.rules} />}
        </Section>
        <Section title={t('Enforcement')}>
          <form.Switch
            name="is_enforced"
            label={t('Turn passwords and passkeys off')}
            {...field(
              'is_enforced',
              problem ?? t('Everybody logs in with single sign-on, except break-glass users.'),
            )}
          />
          {view.is_enforced === 1 && problem && (
            <Notice tone="warn">{t('Not enforced at the moment. {problem}', { problem })}</Notice>
          )}
          <form.AppField name="break_glass">{() => <BreakGlassUsers />}</form.AppField>
        </Section>
      </Form>
      <div className="form-more">
        <Directories baseUrl={`${view.log_out_uri}scim/v2`} />
      </div>
    </>
  )
}

/** Checks that the issuer answers, before it is saved. */
function CheckIssuer({ issuer }: { issuer: string }) {
  const check = useMutation({
    mutationFn: () => send(singleSignOn.check, { body: { issuer } }),
  })
  return (
    <div className="check-issuer">
      <Button
        size="small"
        busy={check.isPending}
        disabled={!issuer.trim()}
        onClick={() => check.mutate()}
      >
        {t('Check issuer')}
      </Button>
      <div role="status">
        {check.error && <Notice tone="bad">{messageOf(check.error)}</Notice>}
        {check.data && (
          <Notice tone={check.data.ok ? 'ok' : 'bad'}>{fromServer(check.data.message)}</Notice>
        )}
      </div>
    </div>
  )
}
