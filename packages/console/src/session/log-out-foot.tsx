import { t } from '@switchroom/contract'
import { logOut } from '../lib/session-calls'
import { Button } from '../ui/button'

/** The foot of a screen that a signed-in user can leave only by logging out. */
export const LogOutFoot = () => (
  <p className="public-foot">
    <Button look="quiet" onClick={() => void logOut()}>
      {t('Log out')}
    </Button>
  </p>
)
