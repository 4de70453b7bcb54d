import { type DoctorReport, PLATFORM_VARIABLES, t } from '@switchroom/contract'
import { useEffect, useRef, useState } from 'react'
import { Results } from '../../health/doctor/results'
import { gettingStarted } from '../../lib/endpoints'
import { useApiForm } from '../../lib/form'
import { FormDialog } from '../../lib/form-dialog'
import { formLike } from '../../lib/form-like'
import { keysOf } from '../../lib/records'
import { Notice } from '../../ui/notice'
import { CopyLines } from './copy-lines'

const SECRETS = ['mysql_password', 'redis_password', 'jwt_secret', 'encryption_secret'] as const
const START = {
  mysql_host: '',
  mysql_port: 3306 as number | null,
  mysql_user: 'jambones',
  mysql_password: '',
  mysql_database: 'jambones',
  redis_host: '',
  redis_port: 6379 as number | null,
  redis_password: '',
  jwt_secret: '',
  encryption_secret: '',
}
type Values = typeof START

/** Tries the platform's database and Redis from this server, and says how to start it with them. */
export function ConnectPlatform({ onClose }: { onClose: () => void }) {
  const [tried, setTried] = useState<{ report: DoctorReport; value: Values }>()
  const form = useApiForm({
    endpoint: gettingStarted.connect,
    dialog: 'platform',
    defaultValues: tried?.value ?? START,
    toSend: ({ mysql_port, redis_port, redis_password, encryption_secret, ...rest }) => ({
      body: {
        ...rest,
        mysql_port: mysql_port!,
        redis_port: redis_port!,
        ...(redis_password && { redis_password }),
        ...(encryption_secret && { encryption_secret }),
      },
    }),
    onDone: (report, value) => setTried({ report, value }),
  })
  const fields = formLike(form)
  return (
    <FormDialog
      form={form}
      isNew
      wide
      title={t('Connect the platform')}
      submit={t('Test connection')}
      submitting={t('Testing…')}
      onClose={onClose}
    >
      <fields.TextField
        name="mysql_host"
        label={t('MySQL host')}
        help={t('As this server reaches it. The test changes nothing.')}
        mono
      />
      <fields.NumberField name="mysql_port" label={t('MySQL port')} />
      <fields.TextField name="mysql_user" label={t('MySQL user')} mono />
      <fields.PasswordField name="mysql_password" label={t('MySQL password')} autoComplete="off" />
      <fields.TextField name="mysql_database" label={t('MySQL database')} mono />
      <fields.TextField name="redis_host" label={t('Redis host')} mono />
      <fields.NumberField name="redis_port" label={t('Redis port')} />
      <fields.PasswordField
        name="redis_password"
        label={t('Redis password')}
        optional
        autoComplete="off"
      />
      <fields.PasswordField
        name="jwt_secret"
        label={t('JWT secret')}
        help={t('JWT_SECRET of the platform’s API server.')}
        autoComplete="off"
      />
      <fields.PasswordField
        name="encryption_secret"
        label={t('Encryption secret')}
        help={t('ENCRYPTION_SECRET of the platform’s components, if they have one.')}
        optional
        autoComplete="off"
      />
      {tried && <Tried key={tried.report.ran_at} {...tried} />}
    </FormDialog>
  )
}

function Tried({ report, value }: { report: DoctorReport; value: Values }) {
  const box = useRef<HTMLDivElement>(null)
  // below the fold of most screens
  useEffect(() => void box.current?.scrollIntoView({ block: 'start' }), [])
  const isReady = report.results.every(({ outcome }) => outcome !== 'problem')
  return (
    <div ref={box}>
      <Notice tone={isReady ? 'ok' : 'bad'}>
        {isReady
          ? t('This server can run on that platform. Start it again with these variables:')
          : t(
              'This server cannot run on that platform yet. Correct what needs attention, and test again.',
            )}
      </Notice>
      {isReady && (
        <>
          <CopyLines label={t('Environment of this server')} lines={linesOf(value)} />
          <CopyLines
            label={t('To copy what you entered here, after the restart')}
            lines="npm run carry-over -- --from ./data"
          />
        </>
      )}
      <Results results={report.results} />
    </div>
  )
}

/** Secrets are left to whoever pastes the lines: they do not belong on a screen. */
const linesOf = (value: Values) =>
  keysOf(PLATFORM_VARIABLES)
    .filter((name) => value[name])
    .map((name) => `${PLATFORM_VARIABLES[name]}=${isSecret(name) ? '' : value[name]}`)
    .join('\n')
const isSecret = (name: keyof Values) => (SECRETS as readonly string[]).includes(name)
