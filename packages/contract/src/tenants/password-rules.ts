import { t } from '../wire/text.ts'

/** Password rules as stored, with flags as 0 or 1. */
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

export const PASSWORDS_DIFFER = t('Passwords do not match')
export const INVALID_PASSWORD = t('Invalid password.')

/** The unmet rules, each to follow "Password must:". Empty if the password is valid. */
export function passwordProblems(password: string, rules: PasswordRules): string[] {
  const problems: string[] = []
  if (password.length < rules.min_password_length)
    problems.push(
      t('Be at least {min_password_length} characters long', {
        min_password_length: rules.min_password_length,
      }),
    )
  if (rules.require_digit && !/[0-9]/.test(password))
    problems.push(t('Contain at least one number'))
  if (rules.require_special_character && !SPECIAL.test(password))
    problems.push(t('Contain at least one special character'))
  return problems
}

/** The first error for the reset screen; undefined if there is none or the rules are unknown. */
export function resetPasswordProblem(
  password: string,
  confirm: string,
  rules: PasswordRules | undefined,
) {
  if (password !== confirm)
    return t(
      'The confirmation password does not match the new password. Please ensure both passwords are identical.',
    )
  if (rules && password.length < rules.min_password_length)
    return t('The password must be at least {min_password_length} characters long.', {
      min_password_length: rules.min_password_length,
    })
  if (!/[a-z]/i.test(password)) return t('Password must contain a letter.')
}
