import { INVITE_CODE_INVALID, t } from '@switchroom/contract'
import { Link, useNavigate } from '@tanstack/react-router'
import { Mail } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { config } from '../../lib/config'
import { messageOf, statusOf } from '../../lib/failure'
import { linkTo } from '../../lib/link-to'
import { dropFlash, readFlash } from '../../lib/session'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { showFormErrors } from '../../ui/form-shell'
import { Notice } from '../../ui/notice'
import { rich } from '../../ui/rich'
import { TextField } from '../../ui/text-field'
import { Checkbox } from '../../ui/toggle'
import { OAuthButtons } from '../oauth-buttons'
import { checkInvite } from './calls'
import { registrationState } from './registration-state'
import './register.css'

type FieldErrors = { terms?: string; invite?: string }

/** Why an invite code is invalid; undefined if it is valid. */
async function inviteProblem(code: string): Promise<string | undefined> {
  if (!code) return t('Enter your invite code')
  try {
    await checkInvite(code)
  } catch (e) {
    return statusOf(e) === 404 ? INVITE_CODE_INVALID : messageOf(e)
  }
}

export function Register() {
  const navigate = useNavigate()
  const [flash] = useState(readFlash)
  const [accepted, setAccepted] = useState(() => registrationState.termsAccepted.read() ?? false)
  const [invite, setInvite] = useState(() => registrationState.invite.read() ?? '')
  const [wrong, setWrong] = useState<FieldErrors>({})
  const box = useRef<HTMLDivElement>(null)
  useEffect(dropFlash, [])

  async function ready() {
    const problem = config.INVITE_ONLY ? await inviteProblem(invite) : undefined
    const wrong = {
      ...(problem && { invite: problem }),
      ...(!accepted && { terms: t('Please accept the terms first') }),
    }
    showFormErrors(box, () => setWrong(wrong))
    return accepted && !problem
  }
  return (
    <Card title={t('Register')}>
      {flash && <Notice tone={flash.good ? 'ok' : 'bad'}>{flash.text}</Notice>}
      <div ref={box} className="register">
        {config.INVITE_ONLY && (
          <TextField
            label={t('Invite code')}
            mono
            autoCapitalize="characters"
            value={invite}
            onChange={(code) => {
              setInvite(code.trim())
              registrationState.invite.set(code.trim())
            }}
            error={wrong.invite}
          />
        )}
        <Checkbox
          label={rich('I accept the {terms} and have read the {privacy}', {
            terms: <Terms href={config.TERMS_URL}>{t('Terms of Service')}</Terms>,
            privacy: <Terms href={config.PRIVACY_URL}>{t('Privacy Policy')}</Terms>,
          })}
          value={accepted}
          onChange={(next) => {
            setAccepted(next)
            registrationState.termsAccepted.set(next)
          }}
          error={accepted ? undefined : wrong.terms}
        />
        <Button
          look="primary"
          onClick={async () => {
            if (await ready()) await navigate({ ...linkTo('/register/email') })
          }}
        >
          <Mail aria-hidden />
          {t('Sign up with email')}
        </Button>
        <OAuthButtons verb="sign_up" from="/register" ready={ready} />
      </div>
      <p className="public-foot">
        {rich('Already registered? {link}', { link: <Link to="/">{t('Log in')}</Link> })}
      </p>
    </Card>
  )
}

const Terms = ({ href, children }: { href: string | undefined; children: string }) =>
  href ? (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  ) : (
    children
  )
