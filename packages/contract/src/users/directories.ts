import { z } from 'zod'
import { Created, NoContent, resource, Sid, SidOrNull, Text } from '../wire/common.ts'
import { endpoints, removes } from '../wire/endpoint.ts'
import { Integer, StringOrNull } from '../wire/fields.ts'
import { AccessGrant, AccessGrantIn } from './access-rules.ts'

/** A directory that adds, changes and removes users over SCIM. */
export const Directory = z.object({
  directory_sid: z.string(),
  name: z.string(),
  /** Users of this provider and its accounts only; null for all. */
  service_provider_sid: StringOrNull,
  /** Access of users to whom no access rule applies; null refuses them. */
  default_access: AccessGrant.nullable(),
  users: Integer,
  /** ISO 8601. */
  created_at: z.string(),
  last_used: StringOrNull,
})
export type Directory = z.infer<typeof Directory>

const common = {
  name: Text(64),
  default_access: AccessGrantIn.nullable(),
}

const { one, all } = resource('/Directories', { directory_sid: Sid })
const admin = { access: 'admin', own: true, selfHosted: true } as const

export const directories = endpoints({
  list: {
    ...all,
    ...admin,
    method: 'GET',
    summary: 'List the directories that manage users over SCIM',
    response: z.array(Directory),
  },
  create: {
    ...all,
    ...admin,
    method: 'POST',
    summary: 'Add a directory; returns its SCIM token, which is shown only once',
    grantsAccess: true,
    body: z.object({
      ...common,
      default_access: common.default_access.default(null),
      service_provider_sid: SidOrNull.default(null),
    }),
    status: 201,
    response: Created.extend({ token: z.string() }),
  },
  update: {
    ...one,
    ...admin,
    method: 'PUT',
    summary: 'Update a directory',
    grantsAccess: true,
    body: z.object(common).partial(),
    status: 204,
    response: NoContent,
  },
  replaceToken: {
    ...one,
    ...admin,
    path: '/Directories/:directory_sid/Token',
    method: 'POST',
    summary: 'Replace the SCIM token of a directory; the old one stops working',
    grantsAccess: true,
    response: z.object({ token: z.string() }),
  },
  remove: { ...one, ...admin, ...removes, summary: 'Delete a directory; its users stay' },
})
