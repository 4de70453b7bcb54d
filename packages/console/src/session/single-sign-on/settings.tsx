import type { Lockable } from '@switchroom/contract'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { mayWrite } from '../../lib/access'
import { queryClient, send } from '../../lib/api'
import { singleSignOn } from '../../lib/endpoints'
import { messageOf } from '../../lib/failure'
import { Form, useApiForm } from '../../lib/form'
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
    onDone: () => toastSuccess('Single sign-on settings updated'),
  })
  /** The help of a field, or that a variable sets it. */
  const field = (name: Lockable, help?: string) => {
    const variable = view.locked[name]
    return variable
      ? { disabled: true, help: `Set by ${variable}.` }
      : { ...(help !== undefined && { help }) }
  }
  const problem = view.enforcement_problem
  return (
    <>
      <PageHeader title="Single sign-on" />
      <Form
        form={form}
        aside={
          <Facts>
            <Fact name="First log-in with these settings">
              <Time at={view.tested_at} none="Not yet" />
            </Fact>
          </Facts>
        }
      >
        <Section
          title="Identity provider"
          about="Any OpenID Connect provider, such as Entra ID, Okta or Keycloak."
        >
          <form.AppField name="is_active">
            {(f) => (
              <f.Switch
                label="Log in with single sign-on"
                {...field('is_active', 'Adds a button to the log-in page.')}
              />
            )}
          </form.AppField>
          <form.AppField name="name">
            {(f) => <f.TextField label="Name" {...field('name', 'Shown on the button.')} />}
          </form.AppField>
          <form.AppField name="issuer">
            {(f) => (
              <f.TextField
                label="Issuer"
                mono
                inputMode="url"
                placeholder="https://login.example.com"
                {...field('issuer')}
              />
            )}
          </form.AppField>
          {mayWrite() && (
            <form.Subscribe selector={(s) => s.values.issuer}>
              {(issuer) => <CheckIssuer key={issuer} issuer={issuer} />}
            </form.Subscribe>
          )}
          <form.AppField name="client_id">
            {(f) => <f.TextField label="Client ID" mono {...field('client_id')} />}
          </form.AppField>
          <ReadOnlyFields value={!mayWrite() || view.locked.client_secret !== undefined}>
            <form.AppField name="client_secret">
              {(f) => (
                <f.SecretField
                  label="Client secret"
                  optional
                  isSet={view.client_secret !== null}
                  {...field('client_secret')}
                />
              )}
            </form.AppField>
          </ReadOnlyFields>
          <form.AppField name="scopes">
            {(f) => <f.TextField label="Scopes" mono {...field('scopes')} />}
          </form.AppField>
          <form.AppField name="directory_claim">
            {(f) => (
              <f.TextField
                label="SCIM ID claim"
                mono
                {...field(
                  'directory_claim',
                  'The claim that equals externalId in SCIM. For Entra ID: oid.',
                )}
              />
            )}
          </form.AppField>
        </Section>
        <Section title="Addresses" about="Register these at your identity provider.">
          <CopyBox label="Redirect URI" value={view.redirect_uri} />
          <CopyBox label="Post-logout redirect URI" value={view.log_out_uri} />
          <CopyBox label="Back-channel logout URI" value={view.backchannel_logout_uri} />
        </Section>
        <Section
          title="Access rules"
          about="The first rule that matches decides, at every log-in. Without a match nobody gets in."
        >
          {view.locked.rules && <Notice tone="info">{`Set by ${view.locked.rules}.`}</Notice>}
          <ReadOnlyFields value={!mayWrite() || view.locked.rules !== undefined}>
            <Rules form={formLike(form)} />
          </ReadOnlyFields>
          {mayWrite() && <TryRules rules={() => form.state.values.rules} />}
        </Section>
        <Section title="Enforcement">
          <form.AppField name="is_enforced">
            {(f) => (
              <f.Switch
                label="Turn passwords and passkeys off"
                {...field(
                  'is_enforced',
                  problem ?? 'Everybody logs in with single sign-on, except break-glass users.',
                )}
              />
            )}
          </form.AppField>
          {view.is_enforced === 1 && problem && (
            <Notice tone="warn">{`Not enforced at the moment. ${problem}`}</Notice>
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

/** Whether the issuer answers, before it is saved. */
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
        Check issuer
      </Button>
      <div role="status">
        {check.error && <Notice tone="bad">{messageOf(check.error)}</Notice>}
        {check.data && <Notice tone={check.data.ok ? 'ok' : 'bad'}>{check.data.message}</Notice>}
      </div>
    </div>
  )
}
