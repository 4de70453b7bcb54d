import { z } from 'zod'
import {
  accountParams,
  FlagIn,
  listQuery,
  ofAccount,
  ofServiceProvider,
  pageOf,
  Sid,
  serviceProviderParams,
} from '../wire/common.ts'
import { adds, endpoints, lists, removes, updates, views } from '../wire/endpoint.ts'
import { Integer } from '../wire/fields.ts'
import { fileOptions } from '../wire/file-columns.ts'
import { exportFilters, importEndpoint } from '../wire/import.ts'
import { exportsMany, removesMany, selectionOf, updatesMany } from '../wire/selection.ts'
import { t } from '../wire/text.ts'
import {
  carrierFields,
  checkCarrier,
  createdFields,
  REALM_EMPTY,
  VoipCarrierCreate,
  VoipCarrierItem,
  VoipCarrierUpdate,
  VoipCarrierView,
} from './carrier-bodies.ts'

export const CARRIER_NAME_TAKEN = t('There is a carrier of this name. An import only adds carriers')

/**
 * The platform's rule: an empty realm is refused, except below an owner, where its portal saves, which takes it for
 * none.
 */
const named = {
  register_sip_realm: z
    .string()
    .nullable()
    .refine((realm) => realm !== '', {
      error: REALM_EMPTY,
      params: {
        msg: 'register_sip_realm must not be empty string; use null to fall back to gateway IP',
      },
    })
    .pipe(carrierFields.register_sip_realm.unwrap())
    .optional(),
}

const ofCarrier = { voip_carrier_sid: Sid }
export const one = {
  path: '/VoipCarriers/:voip_carrier_sid',
  params: z.object(ofCarrier),
  access: 'account',
} as const
const query = listQuery('name', 'created_at').extend({
  /** Text within the name alone, as pickers ask for it. */
  name: z.string().trim().max(100).optional(),
  /** Carriers of this account and those its provider shares. */
  account_sid: Sid.optional(),
  /** Switchroom only: only carriers without an owner, which only administrators see. */
  ownerless: FlagIn.optional(),
})

const carrierFilters = { ...exportFilters, account_sid: Sid.optional() }
/** The carriers of a list, or those of them without an owner. */
export const CarrierSelection = selectionOf(
  'voip_carrier_sids',
  { ...carrierFilters, ownerless: FlagIn.optional() },
  t('Choose a carrier'),
)
export type CarrierSelection = z.infer<typeof CarrierSelection>

const refusals = { name: t('missing field name') }
const CARRIER_IMPORT_MAX_BYTES = 8 * 1024 * 1024

export const voipCarriers = endpoints({
  list: {
    path: '/VoipCarriers',
    access: 'account',
    ...lists,
    summary: 'List carriers',
    query,
    response: pageOf(VoipCarrierItem),
  },
  ofServiceProvider: {
    path: '/ServiceProviders/:service_provider_sid/VoipCarriers',
    params: serviceProviderParams,
    access: 'account',
    ...lists,
    summary: 'List carriers of a service provider and its accounts',
    query,
    response: pageOf(VoipCarrierItem),
  },
  ofAccount: {
    ...ofAccount('/VoipCarriers'),
    ...lists,
    summary: 'List carriers of an account',
    query,
    response: pageOf(VoipCarrierItem),
  },
  view: {
    ...one,
    ...views,
    summary: 'Get a carrier with its SIP and SMPP gateways',
    response: VoipCarrierView,
  },
  create: {
    path: '/VoipCarriers',
    access: 'account',
    ...adds,
    summary: 'Add a carrier with its SIP and SMPP gateways',
    body: z.object({ ...createdFields, ...named }).superRefine(checkCarrier),
    refusals,
  },
  createForServiceProvider: {
    ...ofServiceProvider('/VoipCarriers'),
    ...adds,
    summary: 'Add a carrier to a service provider',
    body: VoipCarrierCreate,
    refusals,
  },
  createForAccount: {
    ...ofAccount('/VoipCarriers'),
    ...adds,
    summary: 'Add a carrier to an account',
    body: VoipCarrierCreate,
    refusals,
  },
  update: {
    ...one,
    ...updates,
    summary: 'Update a carrier with its SIP and SMPP gateways',
    body: VoipCarrierUpdate.extend(named),
  },
  updateOfServiceProvider: {
    path: '/ServiceProviders/:service_provider_sid/VoipCarriers/:voip_carrier_sid',
    params: serviceProviderParams.extend(ofCarrier),
    access: 'service_provider',
    ...updates,
    summary: 'Update a carrier of a service provider',
    body: VoipCarrierUpdate,
  },
  updateOfAccount: {
    path: '/Accounts/:account_sid/VoipCarriers/:voip_carrier_sid',
    params: accountParams.extend(ofCarrier),
    access: 'account',
    ...updates,
    summary: 'Update a carrier of an account',
    body: VoipCarrierUpdate,
  },
  import: {
    path: '/VoipCarriers/Import',
    access: 'account',
    summary: 'Import carriers with their SIP gateways from CSV, all or none',
    ...importEndpoint,
    takesCsv: CARRIER_IMPORT_MAX_BYTES,
  },
  export: {
    path: '/VoipCarriers/Export',
    access: 'account',
    method: 'GET',
    summary: 'Export carriers with their SIP gateways as CSV, without passwords',
    own: true,
    file: 'carriers.csv',
    query: z.object({ ...carrierFilters, ...fileOptions }),
    response: z.string(),
  },
  updateMany: {
    path: '/VoipCarriers',
    access: 'account',
    ...updatesMany,
    summary: 'Activate or deactivate many carriers, all or none',
    body: z.object({ select: CarrierSelection, is_active: FlagIn }),
  },
  exportMany: {
    path: '/VoipCarriers/Export',
    access: 'account',
    ...exportsMany,
    summary: 'Export the chosen carriers with their SIP gateways as CSV, without passwords',
    file: 'carriers.csv',
    body: z.object({ select: CarrierSelection }),
  },
  usesOfMany: {
    path: '/VoipCarriers/Uses',
    access: 'account',
    method: 'POST',
    own: true,
    allowViewOnly: true,
    maxBody: 1_000_000,
    summary: 'Count the chosen carriers that cannot be deleted because they are in use',
    body: z.object({ select: CarrierSelection }),
    response: z.object({ carriers: Integer, in_use: Integer }),
  },
  removeMany: {
    path: '/VoipCarriers/Delete',
    access: 'account',
    ...removesMany,
    summary: 'Delete many carriers that are not in use, with their gateways, all or none',
    body: z.object({ select: CarrierSelection }),
  },
  remove: { ...one, ...removes, summary: 'Delete a carrier that is not in use, with its gateways' },
})
