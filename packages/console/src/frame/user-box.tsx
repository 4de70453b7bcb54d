import { t } from '@switchroom/contract'
import { Link } from '@tanstack/react-router'
import { LogOut, ShieldCheck } from 'lucide-react'
import { scopeText } from '../lib/access'
import { isSwitchroom } from '../lib/config'
import { linkTo } from '../lib/link-to'
import { requireClaims } from '../lib/session'
import { logOut } from '../lib/session-calls'
import { IconButton } from '../ui/button'

/** Name of the logged-in user; some tokens lack it. */
export const userName = () => requireClaims().name ?? t('Logged in')
export const scopeLine = () => t('Scope: {scope}', { scope: scopeText(requireClaims().scope) })
export const ownUserHref = () => `/internal/users/${requireClaims().user_sid}/edit`

/** The logged-in user, with a link to their settings and a button to log out. */
export function UserBox({ narrow }: { narrow: boolean }) {
  return (
    <div className="user-box">
      {!narrow && (
        <Link {...linkTo(ownUserHref())} className="user-box-link" title={t('Edit user')}>
          <span className="user-box-name">{userName()}</span>
          <span className="user-box-scope">{scopeLine()}</span>
        </Link>
      )}
      {isSwitchroom() && !narrow && (
        <Link
          {...linkTo('/internal/security')}
          className="icon-button"
          aria-label={t('Security')}
          title={t('Security')}
        >
          <ShieldCheck />
        </Link>
      )}
      <IconButton label={t('Log out')} onClick={() => void logOut()}>
        <LogOut />
      </IconButton>
    </div>
  )
}
