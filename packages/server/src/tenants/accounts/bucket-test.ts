import { randomUUID } from 'node:crypto'
import { type Bucket, type BucketTest, t } from '@switchroom/contract'
import { errorCode } from '../../errors/members.ts'
import { Blocked } from '../../outbound/guard.ts'
import { type Outbound, TooLarge } from '../../outbound/outbound.ts'
import { openBucket } from '../../stores/buckets/open.ts'
import { GOOGLE, type Problem, StoreRefused } from '../../stores/buckets/store.ts'

const TEXT = 'Hello From Switchroom'

type Doing = 'write' | 'read' | 'remove'

/** Tests a bucket by writing, reading and deleting an object. `hosts` replaces Google's hosts in tests. */
export async function testBucket(
  outbound: Outbound,
  bucket: Bucket,
  { timeout_ms = 15_000, hosts = GOOGLE } = {},
): Promise<BucketTest> {
  const signal = AbortSignal.timeout(timeout_ms)
  const key = `jambonz-sample-${randomUUID()}.text`
  let doing: Doing = 'write'
  const probe = async () => {
    const store = await openBucket(outbound, bucket, hosts)
    await store.write(key, TEXT, signal)
    let text: string
    try {
      doing = 'read'
      text = await store.read(key, signal)
    } catch (e) {
      await store.remove(key, signal).catch(() => undefined) // it is the first failure that is told
      throw e
    }
    doing = 'remove'
    await store.remove(key, signal)
    if (text !== TEXT) throw new StoreRefused('other-text')
  }
  try {
    await Promise.race([probe(), expiry(signal)])
    return { status: 'ok' }
  } catch (e) {
    const blocked = causes(e).find((cause) => cause instanceof Blocked)
    if (blocked) return { status: 'not tested', reason: blocked.message }
    return { status: 'failed', reason: reasonOf(e, doing, signal) }
  }
}

// some library promises ignore the abort signal
const expiry = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

const FORBIDDEN: Record<Doing, string> = {
  write: t('This credential may not write to the bucket'),
  read: t('This credential may not read from the bucket'),
  remove: t('This credential may not remove from the bucket'),
}

const REASONS: Record<Problem, (doing: Doing) => string> = {
  'no-bucket': () => t('There is no such bucket'),
  'bad-credential': () => t('The store does not accept this credential'),
  forbidden: (doing) => FORBIDDEN[doing],
  redirect: () => t('The store is elsewhere: check the region or the endpoint'),
  'no-identity': () => t('This server has no identity of its own at AWS'),
  'no-role': () => t('This server cannot assume the role'),
  'not-a-key': () => t('The private key in the service key cannot be read'),
  'not-a-connection-string': () => t('The connection string cannot be read'),
  'other-text': () => t('The data read back differs from the data written'),
}

/** The reason in our own words: messages of libraries and vendors may quote credentials. */
function reasonOf(error: unknown, doing: Doing, signal: AbortSignal): string {
  const chain = causes(error)
  if (signal.aborted || chain.some((e) => e.name === 'TimeoutError'))
    return t('The store did not answer in time')
  const refused = chain.find((e) => e instanceof StoreRefused)
  if (refused?.problem) return REASONS[refused.problem](doing)
  if (refused) return t('The store answered with status {status}', { status: refused.status })
  if (chain.some((e) => e instanceof TooLarge)) return REASONS['other-text'](doing)
  const code = chain.map(errorCode).find(isSystemCode)
  return code
    ? t('The store cannot be reached ({code})', { code })
    : t('The store returned an invalid answer')
}

const isSystemCode = (code: unknown) => typeof code === 'string' && /^[A-Z][A-Z_]{2,40}$/.test(code)

function causes(error: unknown): Error[] {
  if (!(error instanceof Error)) return []
  const inner = error instanceof AggregateError ? error.errors : [error.cause]
  return [error, ...inner.flatMap(causes)]
}
