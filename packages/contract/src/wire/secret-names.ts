const SECRET =
  /password|secret|token|credential|_key$|^key$|connection_string|^(?:env_vars|digits|sip_headers|args)$/i

/**
 * True if a field of this name holds a secret, in requests and forms. `secret-names.test.ts` compares with the
 * contract.
 */
export const isSecretName = (name: string) => SECRET.test(name) && !name.endsWith('_sid')
