/** As stored, with flags as 0 or 1. */
export type PasswordRules = {
  min_password_length: number
  require_digit?: number
  require_special_character?: number
}

/** The default rules. */
export const DEFAULT_PASSWORD_RULES = {
  min_password_length: 6,
  require_digit: 0,
  require_special_character: 0,
} as const satisfies PasswordRules

const SPECIAL = /[!@#$%^&*()_+\-=[\]{};':"\\|,.<>/?]/

export const PASSWORDS_DIFFER = 'Passwords do not match'
export const INVALID_PASSWORD = 'Invalid password.'

/** The unmet rules, each to follow "Password must:". Empty if the password is valid. */
export function passwordProblems(password: string, rules: PasswordRules): string[] {
  const problems: string[] = []
  if (password.length < rules.min_password_length)
    problems.push(`Be at least ${rules.min_password_length} characters long`)
  if (rules.require_digit && !/[0-9]/.test(password)) problems.push('Contain at least one number')
  if (rules.require_special_character && !SPECIAL.test(password))
    problems.push('Contain at least one special character')
  return problems
}

/** The first error for the reset screen; undefined if there is none or the rules are unknown. */
export function resetPasswordProblem(
  password: string,
  confirm: string,
  rules: PasswordRules | undefined,
) {
  if (password !== confirm)
    return 'The confirmation password does not match the new password. Please ensure both passwords are identical.'
  if (rules && password.length < rules.min_password_length)
    return `The password must be at least ${rules.min_password_length} characters long.`
  if (!/[a-z]/i.test(password)) return 'Password must contain a letter.'
}
