import type { Bucket } from '@switchroom/contract'
import type { Outbound } from '../../outbound/outbound.ts'
import { azureStore } from './azure.ts'
import { type GOOGLE, googleStore } from './google.ts'
import { s3Store } from './s3.ts'
import type { Store } from './store.ts'

/** Opens the store of a bucket's vendor. Throws `StoreRefused` if its credential is unusable. */
export function openBucket(
  outbound: Outbound,
  bucket: Bucket,
  google: typeof GOOGLE,
): Promise<Store> {
  switch (bucket.vendor) {
    case 'azure':
      return azureStore(outbound, bucket)
    case 'google':
      return googleStore(outbound, bucket, google)
    default:
      return s3Store(outbound, bucket)
  }
}
