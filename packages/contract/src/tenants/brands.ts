import { z } from 'zod'
import { ofServiceProvider, TextOrNull, versioned } from '../wire/common.ts'
import { endpoints, PICTURE_TYPES, Picture, updates, views } from '../wire/endpoint.ts'
import { StringOrNull } from '../wire/fields.ts'
import { t } from '../wire/text.ts'

export const MAX_LOGO_BYTES = 65_536
export const LOGO_TOO_LARGE = t('A logo can have at most 64 kB')
const MAX_HOSTS = 20
export const HOST_TAKEN = t('Another service provider has this host name')

/** The bytes of a picture, in base64. */
const Logo = z.object({
  type: z.enum(PICTURE_TYPES, t('Choose an SVG or PNG file')),
  data: z
    .base64(t('Choose an SVG or PNG file'))
    .max(Math.ceil(MAX_LOGO_BYTES / 3) * 4, LOGO_TOO_LARGE),
})
export type Logo = z.infer<typeof Logo>

/** SHA-256 of a logo's bytes, in hex: its name. */
const Digest = z.string().regex(/^[0-9a-f]{64}$/, t('Enter the digest of a logo'))

/** A digest is that of a logo which the brand has already. */
const LogoIn = z.union([Digest, Logo], t('Choose an SVG or PNG file')).nullable()

const BAD_HOST = t('Enter host names without a port, such as console.example.com')
/** A host name of at least two labels. The last begins with a letter, which no IP address does. */
const HOST =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const Host = z
  .string()
  .max(253, BAD_HOST)
  .trim()
  .transform((host) => host.toLowerCase())
  .refine((host) => HOST.test(host), BAD_HOST)

const Color = z
  .string()
  .trim()
  .transform((color) => color.toLowerCase())
  .refine((color) => /^#[0-9a-f]{6}$/.test(color), t('Enter a color as #1a4fd6'))

/** Null: as the product's own. Logos are named by their digest, as `/BrandLogos` has them. */
export const Brand = z.object({
  service_provider_sid: z.string(),
  name: StringOrNull,
  color: StringOrNull,
  logo_light: StringOrNull,
  logo_dark: StringOrNull,
  hosts: z.array(z.string()),
})
export type Brand = z.infer<typeof Brand>

/** The parts of a brand that a page shows. */
export const ShownBrand = z.object({
  name: StringOrNull,
  /** The style sheet of its color. */
  styles: StringOrNull,
  logo_light: StringOrNull,
  logo_dark: StringOrNull,
})
export type ShownBrand = z.infer<typeof ShownBrand>

const ofProvider = { ...ofServiceProvider('/Brand'), own: true } as const

export const brands = endpoints({
  own: {
    path: '/Brand',
    access: 'account',
    own: true,
    personOnly: true,
    method: 'GET',
    summary: 'Get the brand that you see: your service provider’s',
    response: z.object({ brand: ShownBrand.nullable() }),
  },
  view: {
    ...ofProvider,
    ...views,
    summary: 'Get the brand of a service provider',
    response: Brand.extend(versioned),
  },
  update: {
    ...ofProvider,
    ...updates,
    summary: 'Change the brand of a service provider; only administrators change its host names',
    maxBody: 262_144,
    body: z
      .object({
        name: TextOrNull(64),
        color: Color.nullable(),
        logo_light: LogoIn,
        logo_dark: LogoIn,
        /** Host names whose log-in page shows the brand to everyone. */
        hosts: z
          .array(Host)
          .max(MAX_HOSTS)
          .transform((hosts) => [...new Set(hosts)].sort()),
      })
      .partial(),
  },
  logo: {
    path: '/BrandLogos/:digest',
    params: z.object({ digest: Digest }),
    access: 'public',
    own: true,
    method: 'GET',
    summary: 'Get a logo by the SHA-256 of its bytes',
    picture: true,
    response: Picture,
  },
})
