import { t } from '@switchroom/contract'
import { useSuspenseQuery } from '@tanstack/react-query'
import { atLeast } from '../../lib/access'
import { query } from '../../lib/api'
import { logoAddress } from '../../lib/brand'
import { brands, type Reply } from '../../lib/endpoints'
import { useApiForm } from '../../lib/form'
import { Form } from '../../lib/form-dialog'
import { errorOf } from '../../lib/form-fields'
import { syncBrand } from '../../lib/own-brand'
import { Columns, Section } from '../../ui/section'
import { toastSuccess } from '../../ui/toast'
import { BrandPreview } from './brand-preview'
import { ColorField, isColor } from './color-field'
import { LogoField, type LogoValue } from './logo-field'

const valuesOf = (brand: Reply<typeof brands.view>) => ({
  name: brand.name ?? '',
  color: brand.color ?? '',
  // a digest until another file is chosen
  logo_light: brand.logo_light as LogoValue,
  logo_dark: brand.logo_dark as LogoValue,
  hosts: brand.hosts.join('\n'),
})

const addressOf = (logo: LogoValue) =>
  typeof logo === 'string' ? logoAddress(logo) : logo && `data:${logo.type};base64,${logo.data}`

/** How the console looks to the people of a provider and its accounts. */
export function BrandSettings({ service_provider_sid }: { service_provider_sid: string }) {
  const params = { service_provider_sid }
  const brand = useSuspenseQuery(query(brands.view, { params })).data
  const form = useApiForm({
    endpoint: brands.update,
    defaultValues: valuesOf(brand),
    edits: { version: brand.version, valuesOf },
    toSend: ({ name, color, logo_light, logo_dark, hosts }) => ({
      params,
      body: {
        name,
        color: color.trim() || null,
        logo_light,
        logo_dark,
        ...(atLeast('admin') && { hosts: hosts.split(/[\s,]+/).filter(Boolean) }),
      },
    }),
    onDone: () => {
      toastSuccess(t('Brand updated'))
      // other browsers take it over with their next page
      void syncBrand().catch(() => undefined)
    },
  })
  return (
    <Form form={form}>
      <Section
        title={t('Brand')}
        about={t(
          'What the users of this service provider and its accounts see in place of Switchroom. Administrators keep the product’s own look.',
        )}
      >
        <form.TextField name="name" label={t('Product name')} optional placeholder="Switchroom" />
        <Columns>
          <form.AppField name="logo_light">
            {(f) => (
              <LogoField
                label={t('Logo for the light theme')}
                value={f.state.value}
                error={errorOf(f.state.meta)}
                onChange={f.handleChange}
              />
            )}
          </form.AppField>
          <form.AppField name="logo_dark">
            {(f) => (
              <LogoField
                label={t('Logo for the dark theme')}
                value={f.state.value}
                error={errorOf(f.state.meta)}
                onChange={f.handleChange}
              />
            )}
          </form.AppField>
        </Columns>
        <form.AppField name="color">
          {(f) => (
            <ColorField
              value={f.state.value}
              error={errorOf(f.state.meta)}
              onChange={f.handleChange}
            />
          )}
        </form.AppField>
        <form.Subscribe selector={({ values }) => values}>
          {({ name, color, logo_light, logo_dark }) => (
            <BrandPreview
              name={name.trim() || 'Switchroom'}
              color={isColor(color) ? color.trim().toLowerCase() : undefined}
              light={addressOf(logo_light ?? logo_dark)}
              dark={addressOf(logo_dark ?? logo_light)}
            />
          )}
        </form.Subscribe>
      </Section>
      <Section
        title={t('Host names')}
        about={t(
          'Everyone who opens the console under one of these names sees the brand on the log-in page.',
        )}
      >
        {atLeast('admin') ? (
          <form.TextArea
            name="hosts"
            label={t('Host names')}
            optional
            mono
            placeholder="console.example.com"
            help={t(
              'One per line. Point their DNS records and TLS certificate to this server first.',
            )}
          />
        ) : (
          <p className="hint">
            {brand.hosts.length > 0
              ? t('{hosts}. Only administrators can change them.', {
                  hosts: brand.hosts.join(', '),
                })
              : t('None. Only administrators can add them.')}
          </p>
        )}
      </Section>
    </Form>
  )
}
