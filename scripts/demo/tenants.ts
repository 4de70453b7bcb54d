import type { Sector } from './dialogues.ts'
import type { City, Country } from './numbers.ts'

/** Who is in the demo. Names are made up, domains and addresses are reserved for documentation. */

export type CarrierPlan = {
  name: string
  description: string
  /** Addresses of the gateways. The first one also takes calls out. */
  addresses: readonly string[]
  trunk_type: 'static_ip' | 'auth' | 'reg'
  /** Share of the provider's calls. */
  share: number
}

/** Name, city, sector, how many calls compared with the others, SIP clients. */
type AccountPlan = readonly [name: string, city: City, sector: Sector, size: number, phones: number]

export type ProviderPlan = {
  name: string
  description: string
  root_domain: string
  country: Country
  /** When its day begins, compared with the clock of this machine. */
  hours_later: number
  calls_per_weekday: number
  carriers: readonly CarrierPlan[]
  accounts: readonly AccountPlan[]
}

/** The carrier that goes wrong, and the numbers it cannot reach meanwhile: British mobiles. */
export const DEGRADED = { carrier: 'Albion Wholesale', prefix: '447700' }

export const PROVIDERS: readonly ProviderPlan[] = [
  {
    name: 'Harbourline Voice',
    description: 'Voice for businesses in the UK and Europe',
    root_domain: 'sip.harbourline.example',
    country: 'uk',
    hours_later: 0,
    calls_per_weekday: 2_100,
    carriers: [
      {
        name: 'Albion Wholesale',
        description: 'UK termination, contract AW-20871',
        addresses: ['203.0.113.10', '203.0.113.11'],
        trunk_type: 'static_ip',
        share: 5,
      },
      {
        name: 'Thameslane',
        description: 'UK numbers and inbound',
        addresses: ['203.0.113.24', '203.0.113.25'],
        trunk_type: 'static_ip',
        share: 4,
      },
      {
        name: 'Rheinline Connect',
        description: 'Germany and France',
        addresses: ['198.51.100.40'],
        trunk_type: 'auth',
        share: 2,
      },
    ],
    accounts: [
      ['Aldermoor Hotels', 'london', 'hospitality', 10, 6],
      ['Brightwater Clinics', 'manchester', 'health', 9, 4],
      ['Castlegate Insurance', 'edinburgh', 'finance', 8, 5],
      ['Dovecote Dental', 'bristol', 'health', 4, 3],
      ['Ember & Oak Restaurants', 'london', 'hospitality', 6, 2],
      ['Fenwick Logistics', 'leeds', 'delivery', 7, 5],
      ['Greenlane Energy', 'manchester', 'utility', 8, 4],
      ['Harrow Street Vets', 'london', 'health', 3, 2],
      ['Ironbridge Housing', 'bristol', 'utility', 4, 2],
      ['Juniper Inns', 'edinburgh', 'hospitality', 3, 0],
      ['Kestrel Couriers', 'leeds', 'delivery', 6, 3],
      ['Larkhill Hospital', 'manchester', 'health', 2, 4],
      ['Müller & Sohn Werkzeuge', 'berlin', 'delivery', 3, 2],
      ['Nordstern Gasthäuser', 'frankfurt', 'hospitality', 2, 0],
      ['Opaline Cosmétiques', 'paris', 'delivery', 2, 0],
      ['Pendle Water', 'leeds', 'utility', 5, 2],
    ],
  },
  {
    name: 'Lakeshore Telecom',
    description: 'Hosted voice in the Midwest',
    root_domain: 'voice.lakeshore.example',
    country: 'us',
    hours_later: 1,
    calls_per_weekday: 1_500,
    carriers: [
      {
        name: 'Great Plains SIP',
        description: 'Main trunks, Chicago',
        addresses: ['198.51.100.10', '198.51.100.11'],
        trunk_type: 'static_ip',
        share: 6,
      },
      {
        name: 'Summit Wholesale',
        description: 'Second choice for outbound',
        addresses: ['198.51.100.20'],
        trunk_type: 'static_ip',
        share: 3,
      },
      {
        name: 'Bayou Voice',
        description: 'Toll-free inbound',
        addresses: ['198.51.100.30'],
        trunk_type: 'auth',
        share: 2,
      },
    ],
    accounts: [
      ['Acorn Pharmacy Group', 'chicago', 'health', 9, 4],
      ['Bluestem Savings', 'chicago', 'finance', 9, 6],
      ['Copper Kettle Heating', 'milwaukee', 'utility', 4, 2],
      ['Driftwood Pizza', 'chicago', 'hospitality', 7, 0],
      ['Eastlake Orthopedics', 'madison', 'health', 5, 3],
      ['Fox Prairie Utilities', 'indianapolis', 'utility', 6, 3],
      ['Granite Auto Parts', 'detroit', 'delivery', 5, 4],
      ['Heron Lake Credit Union', 'minneapolis', 'finance', 5, 2],
      ['Iron Ridge Freight', 'indianapolis', 'delivery', 4, 2],
      ['Juneberry Florists', 'columbus', 'delivery', 2, 0],
      ['Kettle Creek Resorts', 'madison', 'hospitality', 4, 2],
      ['Linden Street Dental', 'chicago', 'health', 3, 2],
      ['Marquee Legal', 'detroit', 'finance', 2, 3],
      ['North Pier Parcels', 'milwaukee', 'delivery', 3, 0],
    ],
  },
  {
    name: 'Wattle Cloud',
    description: 'Cloud telephony, Sydney',
    root_domain: 'sip.wattle.example',
    country: 'au',
    hours_later: -1,
    calls_per_weekday: 900,
    carriers: [
      {
        name: 'Coral Networks',
        description: 'Main trunks, Sydney',
        addresses: ['203.0.113.70', '203.0.113.71'],
        trunk_type: 'static_ip',
        share: 5,
      },
      {
        name: 'Southern Reach',
        description: 'Perth and Adelaide',
        addresses: ['203.0.113.80'],
        trunk_type: 'static_ip',
        share: 2,
      },
    ],
    accounts: [
      ['Ashgrove Medical', 'brisbane', 'health', 6, 3],
      ['Banksia Home Loans', 'sydney', 'finance', 6, 4],
      ['Coastline Couriers', 'sydney', 'delivery', 4, 0],
      ['Daintree Lodges', 'brisbane', 'hospitality', 3, 0],
      ['Eucalypt Energy', 'melbourne', 'utility', 6, 3],
      ['Fernleigh Brewing', 'perth', 'hospitality', 2, 2],
      ['Grevillea Florists', 'melbourne', 'delivery', 2, 0],
      ['Highfield Wines', 'melbourne', 'delivery', 2, 2],
      ['Illawong Plumbing', 'sydney', 'utility', 3, 2],
      ['Jacaranda Care', 'perth', 'health', 4, 3],
    ],
  },
]

/** People with a log-in besides the four that the demo prints. */
export const COLLEAGUES = [
  ['maya.osei', 'Lakeshore Telecom', null],
  ['liam.burke', 'Wattle Cloud', null],
  ['hannah.kerr', 'Harbourline Voice', 'Castlegate Insurance'],
  ['diego.ramos', 'Lakeshore Telecom', 'Bluestem Savings'],
  ['sofia.lang', 'Harbourline Voice', 'Greenlane Energy'],
] as const

/** The SIP clients of an account, by what they are. */
export const PHONES = ['reception', 'desk-201', 'desk-202', 'desk-203', 'kitchen', 'warehouse']
