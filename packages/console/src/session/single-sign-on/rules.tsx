import { type AccessRule, keysOf, RULE_OPERATORS, t } from '@switchroom/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { query } from '../../lib/api'
import { providers } from '../../lib/current-provider'
import { accounts } from '../../lib/endpoints'
import { fieldComponents, useFieldContext, useListField } from '../../lib/form-fields'
import type { FormLike } from '../../lib/form-like'
import { moveRow, removeRow } from '../../lib/form-rows'
import { SEARCH_PAGE } from '../../lib/pickers'
import { Button, IconButton } from '../../ui/button'
import { useReadOnly } from '../../ui/field'
import { newRule, type RuleValues, type Values } from './values'
import './single-sign-on.css'

export const SCOPES: { value: AccessRule['scope']; label: string }[] = [
  { value: 'admin', label: t('Administrator') },
  { value: 'service_provider', label: t('Service provider') },
  { value: 'account', label: t('Account') },
]
const OPERATORS = keysOf(RULE_OPERATORS).map((value) => ({ value, label: RULE_OPERATORS[value] }))

/** The rules in the order in which they are tried. */
export function Rules({ form }: { form: FormLike<Values> }) {
  const readOnly = useReadOnly()
  return (
    <form.Subscribe selector={(s) => s.values.rules}>
      {(rules) => (
        <>
          <form.AppField name="rules">{() => <ListField />}</form.AppField>
          {rules.length === 0 && (
            <p className="rules-none">{t('No rules yet: nobody can log in.')}</p>
          )}
          <ol className="rules">
            {rules.map((rule, i) => (
              <Rule key={rule.key} form={form} rule={rule} index={i} count={rules.length} />
            ))}
          </ol>
          {!readOnly && (
            <div>
              <Button
                size="small"
                onClick={() => form.setFieldValue('rules', [...rules, newRule()])}
              >
                <Plus aria-hidden />
                {t('Add rule')}
              </Button>
            </div>
          )}
        </>
      )}
    </form.Subscribe>
  )
}

/** Renders nothing: names the list for the conflict dialog. */
function ListField() {
  useListField<RuleValues>(
    t('Access rules'),
    (rules) =>
      rules.map((r) => `${r.claim} ${RULE_OPERATORS[r.operator]} ${r.value}`).join(', ') ||
      t('None'),
  )
  return null
}

function Rule({
  form,
  rule,
  index,
  count,
}: {
  form: FormLike<Values>
  rule: RuleValues
  index: number
  count: number
}) {
  const readOnly = useReadOnly()
  const at = `rules[${index}]` as const
  const name = t('rule {index}', { index: index + 1 })
  return (
    <li className="rule">
      <fieldset aria-label={t('Rule {index}', { index: index + 1 })}>
        <div className="rule-head">
          <span>{index + 1}</span>
          {!readOnly && (
            <span className="rule-actions">
              <IconButton
                label={t('Move {name} up', { name })}
                disabled={index === 0}
                onClick={() => moveRow(form, 'rules', index, index - 1)}
              >
                <ArrowUp />
              </IconButton>
              <IconButton
                label={t('Move {name} down', { name })}
                disabled={index === count - 1}
                onClick={() => moveRow(form, 'rules', index, index + 1)}
              >
                <ArrowDown />
              </IconButton>
              <IconButton
                label={t('Delete {name}', { name })}
                onClick={() => removeRow(form, 'rules', index)}
              >
                <Trash2 />
              </IconButton>
            </span>
          )}
        </div>
        <div className="rule-fields">
          <form.TextField name={`${at}.claim`} label={t('Claim')} mono placeholder="groups" />
          <form.SelectField name={`${at}.operator`} label={t('Comparison')} options={OPERATORS} />
          {rule.operator !== 'exists' && (
            <form.TextField name={`${at}.value`} label={t('Value')} mono />
          )}
        </div>
        <div className="rule-fields">
          <form.SelectField name={`${at}.scope`} label={t('Scope')} options={SCOPES} />
          {rule.scope === 'service_provider' && (
            <form.AppField name={`${at}.service_provider_sid`}>
              {() => <ProviderField />}
            </form.AppField>
          )}
          {rule.scope === 'account' && (
            <form.AppField name={`${at}.account_sid`}>{() => <AnyAccountField />}</form.AppField>
          )}
        </div>
        <form.Checkbox name={`${at}.is_view_only`} label={t('View-only')} />
      </fieldset>
    </li>
  )
}

export function useProviderOptions() {
  const list = useQuery(providers()).data?.data ?? []
  return list.map((p) => ({ value: p.service_provider_sid, label: p.name }))
}

const { ComboboxField } = fieldComponents

const ProviderField = () => (
  <ComboboxField label={t('Service provider')} options={useProviderOptions()} />
)

/** The accounts of all providers. */
export function useAnyAccount(chosen: string) {
  const [filter, setFilter] = useState('')
  const list = useQuery({
    ...query(accounts.list, { query: { ...SEARCH_PAGE, name: filter || undefined } }),
    placeholderData: keepPreviousData,
  })
  const options = (list.data?.data ?? []).map((a) => ({ value: a.account_sid, label: a.name }))
  const listed = options.some((o) => o.value === chosen)
  const one = useQuery({
    ...query(accounts.view, { params: { account_sid: chosen } }),
    enabled: chosen !== '' && !listed && !list.isLoading,
  })
  const named = one.data ? [{ value: chosen, label: one.data.name }] : []
  return {
    options: listed ? options : [...named, ...options],
    loading: list.isFetching,
    onSearch: setFilter,
  }
}

function AnyAccountField() {
  return (
    <ComboboxField label={t('Account')} {...useAnyAccount(useFieldContext<string>().state.value)} />
  )
}
