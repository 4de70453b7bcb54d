import { isRoot } from '../../talk/spans.ts'
import { fromJaeger } from './jaeger-thrift.ts'
import { fromOtlp, jsonOf } from './otlp-json.ts'
import { fromProtobuf } from './otlp-protobuf.ts'
import { type Batch, MAX_SCOPES, type Origin, type Read, textOf, Unreadable } from './span.ts'
import type { Redaction } from './words.ts'
import { fromZipkin } from './zipkin.ts'

const READ = {
  otlp_json: (body: Buffer) => fromOtlp(jsonOf(body.toString())),
  otlp_protobuf: fromProtobuf,
  jaeger: fromJaeger,
  zipkin: (body: Buffer) => fromZipkin(jsonOf(body.toString())),
} satisfies Record<string, (body: Buffer) => Read>
export type Format = keyof typeof READ

const MAX_RESOURCE_ATTRIBUTES = 64
const MAX_RESOURCE_TEXT = 1_024

/** Limits the size of a resource, since each of its scopes stores it again. */
const truncate = ({ resource, ...rest }: Origin): Origin => ({
  ...rest,
  resource: resource.slice(0, MAX_RESOURCE_ATTRIBUTES).map(({ key, value }) => ({
    key,
    value:
      value.stringValue === undefined
        ? value
        : { stringValue: textOf(value.stringValue, MAX_RESOURCE_TEXT) },
  })),
})

const VERSION = /^\d{1,4}\.\d{1,4}\.\d{1,4}$/

/** The version of the feature server that sent a call; null if it does not say, or is another program. */
function platformOf({ origin: { resource }, spans }: Batch): string | null {
  const root = spans.find(({ name }) => isRoot(name))
  if (!root) return null
  // some exporters repeat the resource on each span
  const version = [...resource, ...root.attributes].find(({ key }) => key === 'service.version')
    ?.value.stringValue
  return version !== undefined && VERSION.test(version) ? version : null
}

/** Receives spans of exporters and counts them. */
export class Intake {
  #write: (batches: Batch[]) => Promise<void>
  #redaction: Redaction | undefined
  #spans: Record<string, number> = {}
  #dropped: Record<string, number> = { malformed: 0, unreadable: 0 }
  /** The version of the feature server whose call came in last. */
  #platform: string | null = null

  /** `write` resolves once the spans are on disk. It gets them without the words that `redaction` takes out. */
  constructor(write: (batches: Batch[]) => Promise<void>, redaction?: Redaction) {
    this.#write = write
    this.#redaction = redaction
  }

  /**
   * Resolves once the spans are on disk, to the number of invalid ones. Throws `Unreadable` if
   * the whole body is.
   */
  async take(format: Format, body: Buffer): Promise<number> {
    const { batches: read, malformed } = READ[format](body)
    if (read.length > MAX_SCOPES) throw new Unreadable('of too many scopes')
    const batches = read.map(({ origin, spans }) => ({ origin: truncate(origin), spans }))
    this.#dropped.malformed! += malformed
    const spans = batches.reduce((sum, batch) => sum + batch.spans.length, 0)
    this.#platform =
      batches.map(platformOf).findLast((version) => version !== null) ?? this.#platform
    if (spans > 0) await this.#write(await this.#redacted(batches))
    this.#spans[format] = (this.#spans[format] ?? 0) + spans
    return malformed
  }

  async #redacted(batches: Batch[]) {
    return this.#redaction?.isNeeded ? this.#redaction.apply(batches) : batches
  }

  unreadable() {
    this.#dropped.unreadable!++
  }

  counts = () => ({
    spans: { ...this.#spans },
    dropped: { ...this.#dropped },
    platform: this.#platform,
  })
}
export type TraceMetrics = ReturnType<Intake['counts']> & { bytes: number }
