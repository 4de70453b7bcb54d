import type { Issue } from './error-body.ts'

type Path = Issue['path']

/**
 * An invalid input. People read `message` at the field; programs read `msg` of the response, with
 * the platform's own text if there is one. Custom issues of zod pass `params` along.
 */
export type Refusal = Issue & { params?: { msg: string | ((path: Path) => string) } | undefined }

/** By field (`name`, or `call_hook.url`): the platform's text if it is missing or has the wrong type. */
export type MemberTexts = Readonly<Record<string, string>>

/** The `msg` of the response. */
export function textOf({ path, message, params }: Refusal): string {
  const msg = params?.msg
  return (typeof msg === 'function' ? msg(path) : msg) ?? message
}

type Found = { code?: string; path: PropertyKey[]; message: string; params?: unknown }

/** The issues of a request, with the platform's texts. */
export const refusalsIn = (found: Found[], sent: unknown, texts: MemberTexts = {}): Refusal[] =>
  found.map(({ code, path, message, params }) => {
    const wrongKind = code === 'invalid_type' || code === 'invalid_value'
    const text = texts[path.filter((part) => typeof part === 'string').join('.')]
    const msg = (wrongKind || isMissing(at(sent, path))) && text
    return {
      path: path.filter((part) => typeof part !== 'symbol'),
      message,
      // only our own schemas set params, always of this type; zod's own issues have none
      params: msg ? { msg } : (params as Refusal['params']),
    }
  })

const at = (sent: unknown, path: PropertyKey[]) =>
  path.reduce<unknown>(
    (part, key) => (typeof part === 'object' && part !== null ? Reflect.get(part, key) : undefined),
    sent,
  )

const isMissing = (value: unknown) =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)
