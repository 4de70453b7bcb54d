const SECRET =
  /password|secret|token|credential|_key$|^key$|connection_string|^(?:env_vars|digits|sip_headers|args)$/i

/** Counts of a language model's tokens. */
const COUNT = /^(?:max_)?tokens(?:_a_day|_today)?$/

/**
 * True if a field of this name holds a secret, in requests and forms. `secret-names.test.ts` compares with the
 * contract.
 */
export const isSecretName = (name: string) =>
  SECRET.test(name) && !name.endsWith('_sid') && !COUNT.test(name)

/** True if a value looks like a key, whatever its name: long, without a space, and with a digit. */
export const looksLikeKey = (value: unknown): value is string =>
  typeof value === 'string' && /^\S{16,}$/.test(value) && /\d/.test(value)

/** True if an environment variable holds a secret by its name, or by its value, such as a URL with a password. */
export const isSecretVariable = (name: string, value: unknown) =>
  isSecretName(name) ||
  looksLikeKey(value) ||
  (typeof value === 'string' && /:\/\/[^/\s]*@/.test(value))
