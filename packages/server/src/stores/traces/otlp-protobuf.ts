import type { SpanAttribute, SpanValue } from '@switchroom/contract'
import protobuf from 'protobufjs/minimal.js'
import {
  attribute,
  type Batch,
  MAX_ATTRIBUTES,
  MAX_SCOPES,
  numberValue,
  type Read,
  spanOf,
  textOf,
  Unreadable,
} from './span.ts'

type Reader = protobuf.Reader

const MAX_DEPTH = 16
/** The most items of a list value, which becomes limited text. */
const MAX_ITEMS = 10_000

/** Handlers by field number. The reader is at the field's content. */
type Fields = Record<number, (reader: Reader) => void>

/** Reads a message, and skips fields without a handler. */
function message(bytes: Uint8Array, wanted: Fields) {
  const reader = protobuf.Reader.create(bytes)
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    const read = wanted[tag >>> 3]
    if (read) read(reader)
    else reader.skipType(tag & 7)
  }
}

/** A 64-bit integer without loss. */
function fixed64(reader: Reader) {
  const low = BigInt(reader.fixed32())
  return String((BigInt(reader.fixed32()) << 32n) | low)
}
const hex = (reader: Reader) => Buffer.from(reader.bytes()).toString('hex')

type Plain = string | boolean | number | null | Plain[] | { [key: string]: Plain }
/** A value as parsed, and in the API's format. */
type ParsedValue = { plain: Plain; typed: SpanValue | undefined }

const asJson = (plain: Plain): ParsedValue => ({
  plain,
  typed: { stringValue: textOf(JSON.stringify(plain)) },
})

function valueIn(bytes: Uint8Array, depth = 0): ParsedValue {
  if (depth > MAX_DEPTH) throw new Unreadable('nested too deep')
  let parsed: ParsedValue = { plain: null, typed: undefined }
  const is = (plain: Plain, typed: SpanValue) => {
    parsed = { plain, typed }
  }
  message(bytes, {
    1: (r) => {
      const text = textOf(r.string())
      is(text, { stringValue: text })
    },
    2: (r) => {
      const yes = r.bool()
      is(yes, { boolValue: yes })
    },
    3: (r) => {
      const whole = String(r.int64())
      is(whole, { intValue: whole })
    },
    4: (r) => {
      const number = r.double()
      is(number, numberValue(number))
    },
    5: (r) => {
      const items: Plain[] = []
      message(r.bytes(), {
        1: (of) => {
          const bytes = of.bytes()
          if (items.length < MAX_ITEMS) items.push(valueIn(bytes, depth + 1).plain)
        },
      })
      parsed = asJson(items)
    },
    6: (r) => {
      const pairs: [string, Plain][] = []
      message(r.bytes(), {
        1: (of) => {
          const bytes = of.bytes()
          if (pairs.length >= MAX_ITEMS) return
          const { key, value } = pairIn(bytes, depth + 1)
          pairs.push([key, value.plain])
        },
      })
      parsed = asJson(Object.fromEntries(pairs))
    },
    7: (r) => {
      const text = textOf(Buffer.from(r.bytes()).toString('base64'))
      is(text, { stringValue: text })
    },
  })
  return parsed
}

function pairIn(bytes: Uint8Array, depth = 0) {
  let key = ''
  let value: ParsedValue = { plain: null, typed: undefined }
  message(bytes, {
    1: (r) => {
      key = textOf(r.string())
    },
    2: (r) => {
      value = valueIn(r.bytes(), depth)
    },
  })
  return { key, value }
}

const addTo = (attributes: SpanAttribute[]) => (reader: Reader) => {
  const bytes = reader.bytes()
  if (attributes.length >= MAX_ATTRIBUTES) return
  const { key, value } = pairIn(bytes)
  if (value.typed) attributes.push(attribute(key, value.typed))
}

function spanIn(bytes: Uint8Array) {
  const attributes: SpanAttribute[] = []
  const parsed = {
    traceId: '',
    spanId: '',
    parentSpanId: '',
    name: '',
    kind: 0,
    start: '',
    end: '',
  }
  message(bytes, {
    1: (r) => {
      parsed.traceId = hex(r)
    },
    2: (r) => {
      parsed.spanId = hex(r)
    },
    4: (r) => {
      parsed.parentSpanId = hex(r)
    },
    5: (r) => {
      parsed.name = r.string()
    },
    6: (r) => {
      parsed.kind = r.int32()
    },
    7: (r) => {
      parsed.start = fixed64(r)
    },
    8: (r) => {
      parsed.end = fixed64(r)
    },
    9: addTo(attributes),
  })
  return spanOf({ ...parsed, attributes })
}

/** Reads OTLP's protobuf (`ExportTraceServiceRequest`). Throws `Unreadable`. */
export function fromProtobuf(body: Uint8Array): Read {
  const batches: Batch[] = []
  let malformed = 0
  const ofScope = (bytes: Uint8Array, resource: SpanAttribute[]) => {
    const batch: Batch = { origin: { resource, scope: { name: '', version: '' } }, spans: [] }
    const { scope } = batch.origin
    message(bytes, {
      1: (r) =>
        message(r.bytes(), {
          1: (of) => {
            scope.name = textOf(of.string(), 256)
          },
          2: (of) => {
            scope.version = textOf(of.string(), 256)
          },
        }),
      2: (r) => {
        const span = spanIn(r.bytes())
        if (span) batch.spans.push(span)
        else malformed++
      },
    })
    batches.push(batch)
  }
  const ofResource = (bytes: Uint8Array) => {
    const resource: SpanAttribute[] = []
    const scopes: Uint8Array[] = []
    message(bytes, {
      1: (r) => message(r.bytes(), { 1: addTo(resource) }),
      2: (r) => {
        scopes.push(r.bytes())
        if (scopes.length > MAX_SCOPES - batches.length) throw new Unreadable('of too many scopes')
      },
    })
    // fields may come in any order, so the resource may follow its spans
    for (const scope of scopes) ofScope(scope, resource)
  }
  try {
    message(body, { 1: (r) => ofResource(r.bytes()) })
  } catch (cause) {
    throw new Unreadable('not the protobuf of OTLP', { cause })
  }
  return { batches, malformed }
}
