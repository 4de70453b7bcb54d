export const WEBHOOK_METHODS = ['POST', 'GET'] as const

export const BASIC_AUTH_NEEDS_BOTH =
  'When using HTTP basic authentication both the username and password fields are required.'
