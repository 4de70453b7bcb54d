import { useNavigate } from '@tanstack/react-router'
import { goOn } from '../lib/language'
import { LogIn } from './log-in'

/** The log-in form, once the console has run: after a log-out, or a session that ended. */
export function LogInScreen() {
  const navigate = useNavigate()
  return <LogIn go={(href) => goOn(href, navigate)} />
}
