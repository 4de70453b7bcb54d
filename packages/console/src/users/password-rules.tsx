import { passwordProblems, settings } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { query } from '../lib/api'
import { Skeleton } from '../ui/states'
import './password-rules.css'

const rulesQuery = () => query(settings.passwordSettings, {})

/** What the server holds a new password to. Undefined until it has said so: another number would be a lie. */
export const usePasswordRules = () => useQuery(rulesQuery()).data

/** Said before anything is typed, not only when it was typed in vain. */
export function PasswordRules() {
  const { data: rules, isError } = useQuery(rulesQuery())
  if (isError) return null
  return (
    <div className="password-rules">
      Password must:
      <ul>
        {rules ? (
          // what nothing at all falls short of is everything that is asked
          passwordProblems('', rules).map((rule) => <li key={rule}>{rule}</li>)
        ) : (
          <li>
            <Skeleton width={180} />
          </li>
        )}
      </ul>
    </div>
  )
}
