import type { Problem } from '@switchroom/config/problem'
import { plural, t } from '@switchroom/contract'
import { useEffect, useState } from 'react'
import { PasswordField, TextField } from '../../ui/text-field'
import type { Chosen, Entered } from './comparison'

type Props = {
  chosen: Chosen
  entered: Entered
  problems: readonly Problem[] | undefined
  disabled: boolean
  onChange: (next: Entered) => void
}

/**
 * Inputs for variables that the files name but do not contain. Values stay in this tab's memory: not in its address,
 * and nowhere else.
 */
export function VariableFields({ chosen, entered, problems, disabled, onChange }: Props) {
  const { values, secrets, sent } = entered
  const missing = new Set(problems?.flatMap(({ variable }) => variable ?? []))
  // what was asked for once stays where it is, also when it is there
  const [before, setBefore] = useState<ReadonlySet<string>>(missing)
  const isKnown = [...missing].every((name) => before.has(name))
  const asked = isKnown ? before : new Set([...before, ...missing])
  useEffect(() => setBefore(asked), [asked])
  const { variables } = chosen
  // files can make the name of a secret of a variable: then comparing tells it
  const others = [...missing].filter(
    (name) => !variables.includes(name) && !chosen.secrets.some((one) => one.name === name),
  )
  const all = [...chosen.secrets, ...others.map((name) => ({ name, isOptional: false }))]
  const needed = all.filter(({ name, isOptional }) => !isOptional || asked.has(name))
  const kept = all.filter((one) => !needed.includes(one))
  const secret = (name: string) => (
    <PasswordField
      key={name}
      label={name}
      disabled={disabled}
      autoComplete="new-password"
      value={secrets[name] ?? ''}
      error={missing.has(name) ? t('Enter a value for {name}.', { name }) : undefined}
      onChange={(value) =>
        onChange({
          ...entered,
          secrets: { ...secrets, [name]: value },
          sent: new Set([...sent].filter((one) => one !== name)),
        })
      }
    />
  )
  return (
    <>
      {variables.length > 0 && (
        <fieldset className="config-fields">
          <legend>{t('Variables')}</legend>
          {variables.map((name) => (
            <TextField
              key={name}
              label={name}
              mono
              disabled={disabled}
              value={values[name] ?? String(chosen.values[name] ?? '')}
              error={missing.has(name) ? t('Enter a value for {name}.', { name }) : undefined}
              onChange={(value) => onChange({ ...entered, values: { ...values, [name]: value } })}
            />
          ))}
        </fieldset>
      )}
      {needed.length > 0 && (
        <fieldset className="config-fields">
          <legend>{t('Secrets')}</legend>
          <p className="hint">{t('They are kept in this tab only, until you leave the page.')}</p>
          {needed.map(({ name }) => secret(name))}
        </fieldset>
      )}
      {kept.length > 0 && <KeptSecrets names={kept.map(({ name }) => name)} field={secret} />}
    </>
  )
}

const MANY = 10

/** Secrets that stay as they are stored, unless a new one is entered. */
function KeptSecrets({
  names,
  field,
}: {
  names: string[]
  field: (name: string) => React.ReactNode
}) {
  const [isOpen, setIsOpen] = useState(false)
  const [find, setFind] = useState('')
  const found = names.filter((name) => name.toLowerCase().includes(find.toLowerCase()))
  const more = found.length - MANY
  return (
    <details onToggle={(e) => setIsOpen(e.currentTarget.open)}>
      <summary>
        {plural(names.length, '1 secret stays unchanged|{n} secrets stay unchanged')}
      </summary>
      {isOpen && (
        <fieldset className="config-fields">
          <legend className="visually-hidden">{t('Secrets')}</legend>
          <p className="hint">{t('Enter only those that you want to replace.')}</p>
          {names.length > MANY && (
            <TextField label={t('Find a secret')} value={find} onChange={setFind} />
          )}
          {found.slice(0, MANY).map(field)}
          {more > 0 && <p className="hint">{plural(more, 'and 1 more|and {n} more')}</p>}
        </fieldset>
      )}
    </details>
  )
}
