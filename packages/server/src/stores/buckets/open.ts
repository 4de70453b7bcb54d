import type { Bucket } from '@switchroom/contract'
import type { Outbound } from '../../outbound/outbound.ts'
import type { GOOGLE, Store } from './store.ts'

/** Opens the store of a bucket's vendor. Throws `StoreRefused` if its credential is unusable. */
export async function openBucket(
  outbound: Outbound,
  bucket: Bucket,
  google: typeof GOOGLE,
): Promise<Store> {
  // each is loaded on first use
  switch (bucket.vendor) {
    case 'azure': {
      const { azureStore } = await import('./azure.ts')
      return azureStore(outbound, bucket)
    }
    case 'google': {
      const { googleStore } = await import('./google.ts')
      return googleStore(outbound, bucket, google)
    }
    default: {
      const { s3Store } = await import('./s3.ts')
      return s3Store(outbound, bucket)
    }
  }
}
