import { Link, useNavigate } from '@tanstack/react-router'
import { Mail } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { config } from '../lib/config'
import { OAuthButtons } from '../lib/oauth-buttons'
import { dropFlash, readFlash } from '../lib/session'
import { Button } from '../ui/button'
import { Card } from '../ui/card'
import { focusFirstError } from '../ui/form-shell'
import { Notice } from '../ui/notice'
import { Checkbox } from '../ui/toggle'
import { termsAccepted } from './terms'
import './register.css'

export function Register() {
  const navigate = useNavigate()
  const [flash] = useState(readFlash)
  const [accepted, setAccepted] = useState(termsAccepted.read)
  const [asked, setAsked] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  useEffect(dropFlash, [])

  const ready = () => {
    if (accepted) return true
    setAsked(true)
    requestAnimationFrame(() => focusFirstError(box.current))
    return false
  }
  return (
    <Card title="Register">
      {flash && <Notice tone={flash.good ? 'ok' : 'bad'}>{flash.text}</Notice>}
      <div ref={box} className="register">
        <Checkbox
          label={
            <>
              I accept the <Terms href={config.TERMS_URL}>Terms of Service</Terms> and have read the{' '}
              <Terms href={config.PRIVACY_URL}>Privacy Policy</Terms>
            </>
          }
          value={accepted}
          onChange={(next) => {
            setAccepted(next)
            termsAccepted.keep(next)
          }}
          error={asked && !accepted ? 'Please accept the terms first' : undefined}
        />
        <Button
          look="primary"
          onClick={() => ready() && void navigate({ to: '/register/email' as string })}
        >
          <Mail aria-hidden />
          Sign up with email
        </Button>
        <OAuthButtons verb="Sign up" from="/register" ready={ready} />
      </div>
      <p className="public-foot">
        Already registered? <Link to="/">Log in</Link>
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
