import { DEFAULT_PASSWORD_RULES, passwordProblems, settings } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { query } from '../lib/api'
import './password-rules.css'

/** What the server will hold a new password to; its defaults until it has said so. */
export const usePasswordRules = () =>
  useQuery(query(settings.passwordSettings, {})).data ?? DEFAULT_PASSWORD_RULES

/** Said before anything is typed, not only when it was typed in vain. */
export function PasswordRules() {
  const rules = usePasswordRules()
  // what nothing at all falls short of is everything that is asked
  return (
    <div className="password-rules">
      Password must:
      <ul>
        {passwordProblems('', rules).map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
    </div>
  )
}
