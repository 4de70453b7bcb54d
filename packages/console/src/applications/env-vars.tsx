import { type AppEnvSchema, fromServer, t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { messageOf } from '../lib/failure'
import type { FormLike } from '../lib/form-like'
import { useDebounced } from '../lib/use-debounced'
import { Button } from '../ui/button'
import { useReadOnly } from '../ui/field'
import { Notice } from '../ui/notice'
import { Section } from '../ui/section'
import { isWebhookUrl, schemaQuery } from './app-env'
import { EnvVariable } from './env-variable'
import { unknownNames } from './environment'
import type { Values } from './values'

const PAUSE = 500
const MINOR_PROBLEMS = ['none', 'not_json']

/** The variables that the application at the calling webhook declares, and stored ones it does not declare. */
export const EnvVars = ({ form }: { form: FormLike<Values> }) => (
  <form.Subscribe selector={(s) => s.values.call_hook.url}>
    {(url) => <DeclaredVariables url={url} form={form} />}
  </form.Subscribe>
)

function DeclaredVariables({ url, form }: { url: string; form: FormLike<Values> }) {
  const settled = useDebounced(url, PAUSE)
  const canFetch = isWebhookUrl(settled)
  const result = useQuery({
    ...schemaQuery(settled),
    enabled: canFetch,
    placeholderData: keepPreviousData,
  })
  const answer = canFetch ? result.data : undefined
  const schema = answer && 'schema' in answer ? answer.schema : undefined
  const problem = answer && 'problem' in answer ? answer.problem : undefined
  return (
    <Section
      title={t('Environment variables')}
      about={t('Settings this application declares')}
      action={
        canFetch && (
          <Button size="small" busy={result.isFetching} onClick={() => void result.refetch()}>
            {result.isFetching ? t('Loading…') : t('Reload')}
          </Button>
        )
      }
    >
      {!canFetch && <p className="field-help">{t('Enter the calling webhook first.')}</p>}
      {canFetch && result.isError && <Notice tone="warn">{messageOf(result.error)}</Notice>}
      {problem &&
        (MINOR_PROBLEMS.includes(problem.code) ? (
          <p className="field-help">{fromServer(problem.text)}</p>
        ) : (
          <Notice tone="warn">{fromServer(problem.text)}</Notice>
        ))}
      {schema && <Variables form={form} schema={schema} />}
      {!(canFetch && result.isPending) && <UndeclaredVariables form={form} schema={schema} />}
    </Section>
  )
}

const Variables = ({ form, schema }: { form: FormLike<Values>; schema: AppEnvSchema }) => (
  <form.Subscribe selector={(s) => s.values.account_sid}>
    {(account_sid) =>
      Object.entries(schema).map(([name, spec]) => (
        <form.AppField key={name} name={`env_vars.${name}`}>
          {() => <EnvVariable name={name} spec={spec} account_sid={account_sid} />}
        </form.AppField>
      ))
    }
  </form.Subscribe>
)

function UndeclaredVariables({
  form,
  schema,
}: {
  form: FormLike<Values>
  schema: AppEnvSchema | undefined
}) {
  const readOnly = useReadOnly()
  const remove = (name: string) => {
    const { [name]: _, ...rest } = form.getFieldValue('env_vars')
    form.setFieldValue('env_vars', rest)
  }
  return (
    <form.Subscribe selector={(s) => unknownNames(s.values.env_vars, schema)}>
      {(names) =>
        names.length > 0 && (
          <div className="env-unknown">
            <p className="field-help">
              {schema
                ? t('Kept, but not declared by the application:')
                : t('Kept, although we don’t know whether the application declares them:')}
            </p>
            <ul>
              {names.map((name) => (
                <li key={name}>
                  <code>{name}</code>
                  {!readOnly && (
                    <Button
                      size="small"
                      look="quiet"
                      aria-label={t('Remove {name}', { name })}
                      onClick={() => remove(name)}
                    >
                      {t('Remove')}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          </div>
        )
      }
    </form.Subscribe>
  )
}
