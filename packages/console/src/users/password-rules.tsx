import { passwordProblems, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { query } from '../lib/api'
import { settings } from '../lib/endpoints'
import { rich } from '../ui/rich'
import { Skeleton } from '../ui/states'
import './password-rules.css'

const rulesQuery = () => query(settings.passwordSettings, {})

/** The server's password rules; undefined until loaded. */
export const usePasswordRules = () => useQuery(rulesQuery()).data

/** Shows the password rules up front. */
export function PasswordRules() {
  const { data: rules, isError } = useQuery(rulesQuery())
  if (isError) return null
  return (
    <div className="password-rules">
      {rich('Password must:{ul}', {
        ul: (
          <ul>
            {rules ? (
              // an empty password violates every rule, which lists them all
              [
                ...passwordProblems('', rules),
                ...(rules.weak_passwords === 'refuse' ? [t('Not be easy to guess')] : []),
              ].map((rule) => <li key={rule}>{rule}</li>)
            ) : (
              <li>
                <Skeleton width={180} />
              </li>
            )}
          </ul>
        ),
      })}
    </div>
  )
}
