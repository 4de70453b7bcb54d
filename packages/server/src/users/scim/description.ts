import { ENTERPRISE, USER } from './resource.ts'

const CONFIG = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'
const RESOURCE_TYPE = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType'
const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema'

/** Capabilities of this server (RFC 7643, 5). */
export const configuration = (base: string, maxResults: number) => ({
  schemas: [CONFIG],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Bearer token',
      description: 'The token of the directory, from the single sign-on settings',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
})

export const resourceTypes = (base: string) => [
  {
    schemas: [RESOURCE_TYPE],
    id: 'User',
    name: 'User',
    description: 'A user of this console',
    endpoint: '/Users',
    schema: USER,
    schemaExtensions: [{ schema: ENTERPRISE, required: false }],
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/User` },
  },
]

const attribute = (name: string, type: string, more: object = {}) => ({
  name,
  type,
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})
const list = (name: string) =>
  attribute(name, 'complex', {
    multiValued: true,
    subAttributes: [
      attribute('value', 'string'),
      attribute('type', 'string'),
      attribute('primary', 'boolean'),
    ],
  })

export const schemas = (base: string) =>
  [
    {
      id: USER,
      name: 'User',
      attributes: [
        attribute('userName', 'string', { required: true, uniqueness: 'server' }),
        attribute('externalId', 'string', { caseExact: true }),
        attribute('active', 'boolean'),
        attribute('displayName', 'string'),
        attribute('name', 'complex', {
          subAttributes: ['formatted', 'familyName', 'givenName'].map((name) =>
            attribute(name, 'string'),
          ),
        }),
        list('emails'),
        list('groups'),
        list('roles'),
      ],
    },
    {
      id: ENTERPRISE,
      name: 'EnterpriseUser',
      attributes: ['employeeNumber', 'costCenter', 'organization', 'division', 'department'].map(
        (name) => attribute(name, 'string'),
      ),
    },
  ].map((schema) => ({
    schemas: [SCHEMA],
    ...schema,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
  }))
