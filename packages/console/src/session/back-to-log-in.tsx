import { t } from '@switchroom/contract'
import { Link } from '@tanstack/react-router'

/** The foot of a public screen that is reached from the log-in page. */
export const BackToLogIn = () => (
  <p className="public-foot">
    <Link to="/">{t('Back to log in')}</Link>
  </p>
)
