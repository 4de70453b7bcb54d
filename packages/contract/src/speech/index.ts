import { Text } from '../common.ts'
import type { Vendor } from './vendor.ts'
import { assemblyai } from './vendors/assemblyai.ts'
import { aws } from './vendors/aws.ts'
import { cartesia } from './vendors/cartesia.ts'
import { cobalt } from './vendors/cobalt.ts'
import { custom } from './vendors/custom.ts'
import { deepgram } from './vendors/deepgram.ts'
import { deepgramflux } from './vendors/deepgramflux.ts'
import { elevenlabs } from './vendors/elevenlabs.ts'
import { gladia } from './vendors/gladia.ts'
import { google } from './vendors/google.ts'
import { houndify } from './vendors/houndify.ts'
import { ibm } from './vendors/ibm.ts'
import { inworld } from './vendors/inworld.ts'
import { microsoft } from './vendors/microsoft.ts'
import { nuance } from './vendors/nuance.ts'
import { nvidia } from './vendors/nvidia.ts'
import { openai } from './vendors/openai.ts'
import { playht } from './vendors/playht.ts'
import { resemble } from './vendors/resemble.ts'
import { rimelabs } from './vendors/rimelabs.ts'
import { soniox } from './vendors/soniox.ts'
import { speechmatics } from './vendors/speechmatics.ts'
import { verbio } from './vendors/verbio.ts'
import { voxist } from './vendors/voxist.ts'
import { wellsaid } from './vendors/wellsaid.ts'
import { whisper } from './vendors/whisper.ts'

export * from './field.ts'
export { deepgramHosts } from './options.ts'
export * from './test-result.ts'
export * from './vendor.ts'

/** Every speech vendor. Adding one: a file in vendors/, and its name here. */
export const vendors = {
  assemblyai,
  aws,
  cartesia,
  cobalt,
  custom,
  deepgram,
  deepgramflux,
  elevenlabs,
  gladia,
  google,
  houndify,
  ibm,
  inworld,
  microsoft,
  nuance,
  nvidia,
  openai,
  playht,
  resemble,
  rimelabs,
  soniox,
  speechmatics,
  verbio,
  voxist,
  wellsaid,
  whisper,
} satisfies Record<string, Vendor>
export type VendorId = keyof typeof vendors

/** The vendors by id and name, and whether they speak (`tts`) and listen (`stt`), in the order of the selectors. */
export const SPEECH_VENDORS = (Object.values(vendors) as Vendor[])
  .map(({ id, name, does }) => ({ id, name, tts: does.includes('tts'), stt: does.includes('stt') }))
  .sort((a, b) => a.name.localeCompare(b.name, 'en', { sensitivity: 'base' }))

const CUSTOM = 'custom:'
/** A vendor that an account defines for itself is stored as `custom:<name>`. */
export const isCustomVendor = (vendor: string) => vendor.startsWith(CUSTOM)
export const customVendor = (name: string) => `${CUSTOM}${name}`
/** What the column leaves it. */
export const CUSTOM_NAME_MAX = 25
export const CustomName = Text(CUSTOM_NAME_MAX, 'Name is required')

/** What a stored vendor name is one of: all custom ones are one. Undefined for what is no vendor. */
export const vendorOf = (vendor: string): Vendor | undefined =>
  isCustomVendor(vendor)
    ? custom
    : Object.hasOwn(vendors, vendor) && vendor !== custom.id
      ? vendors[vendor as VendorId]
      : undefined
