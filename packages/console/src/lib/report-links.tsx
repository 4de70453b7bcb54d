import { numberText, plural, type ReportLink, t } from '@switchroom/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button'
import { Dialog, DialogFoot } from '../ui/dialog'
import { rich } from '../ui/rich'
import { EmptyState, LoadingState } from '../ui/states'
import { Badge } from '../ui/status'
import { TableHead } from '../ui/table-head'
import { Time } from '../ui/time'
import { TokenDialog } from '../ui/token-dialog'
import type { FormLike } from './form-like'
import { LoadError } from './load-error'
import './table.css'

/** Texts of a dialog that revokes a link. */
type Revoking = {
  title: string
  question: ReactNode
  done: string
  onClose: () => void
}

/** The links to a report, to make and to revoke. */
export function ReportLinksDialog<L extends ReportLink>({
  title,
  intro,
  list,
  keyOf,
  about,
  mayChange,
  newLink,
  revoke,
  onClose,
}: {
  title: string
  intro: ReactNode
  list: Pick<UseQueryResult<L[]>, 'data' | 'error' | 'refetch'>
  keyOf: (link: L) => string
  /** Column with the target of a link, if targets differ. */
  about?: { name: string; of: (link: L) => ReactNode }
  mayChange: boolean
  newLink: (onClose: () => void) => ReactNode
  revoke: (link: L, dialog: Revoking) => ReactNode
  onClose: () => void
}) {
  const [shown, setShown] = useState<'list' | 'new' | L>('list')
  const back = () => setShown('list')
  if (shown === 'new') return newLink(back)
  if (shown !== 'list')
    return revoke(shown, {
      title: t('Revoke link'),
      question: (
        <p>
          {rich('The link for {strong} stops working at once.', {
            strong: <strong>{shown.label}</strong>,
          })}
        </p>
      ),
      done: t('Link revoked'),
      onClose: back,
    })
  return (
    <Dialog open wide onClose={onClose} title={title}>
      <div className="dialog-body">
        <p>{intro}</p>
        {list.error && !list.data ? (
          <LoadError error={list.error} retry={list.refetch} />
        ) : list.data ? (
          <Links
            links={list.data}
            keyOf={keyOf}
            about={about}
            onRevoke={mayChange ? (link) => setShown(() => link) : undefined}
          />
        ) : (
          <LoadingState text={t('Loading the links')} />
        )}
        <DialogFoot>
          <Button onClick={onClose}>{t('Close')}</Button>
          {mayChange && (
            <Button look="primary" onClick={() => setShown('new')}>
              {t('Make a link')}
            </Button>
          )}
        </DialogFoot>
      </div>
    </Dialog>
  )
}

function Links<L extends ReportLink>({
  links,
  keyOf,
  about,
  onRevoke,
}: {
  links: readonly L[]
  keyOf: (link: L) => string
  about: { name: string; of: (link: L) => ReactNode } | undefined
  onRevoke: ((link: L) => void) | undefined
}) {
  if (links.length === 0) return <EmptyState text={t('No links yet.')} />
  return (
    <div className="table-box">
      <table className="table" aria-label={t('Links')}>
        <TableHead
          of={[
            t('For'),
            about?.name,
            t('Made'),
            t('Ends'),
            t('Last opened'),
            { end: t('Opened') },
            onRevoke && { hidden: t('Actions') },
          ]}
        />
        <tbody>
          {links.map((link) => (
            <tr key={keyOf(link)}>
              <td data-label={t('For')}>{link.label}</td>
              {about && <td data-label={about.name}>{about.of(link)}</td>}
              <td data-label={t('Made')}>
                {rich('{time} by {made_by}', {
                  time: <Time at={link.created_at} />,
                  made_by: link.made_by,
                })}
              </td>
              <td data-label={t('Ends')}>
                {Date.parse(link.ends_at) <= Date.now() ? (
                  <Badge>{t('Ended')}</Badge>
                ) : (
                  <Time at={link.ends_at} />
                )}
              </td>
              <td data-label={t('Last opened')}>
                <Time at={link.last_opened_at} />
              </td>
              <td data-label={t('Opened')} data-align="end">
                {numberText(link.opens)}
              </td>
              {onRevoke && (
                <td>
                  <Button
                    size="small"
                    look="quiet"
                    aria-label={t('Revoke the link for {label}', { label: link.label })}
                    onClick={() => onRevoke(link)}
                  >
                    {t('Revoke')}
                  </Button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const DAYS = [1, 7, 14, 30].map((days) => ({
  value: String(days),
  label: plural(days, 'In a day|In {n} days'),
}))

/** Fields of every new link: `label` and `days`. */
export const LinkFields = ({ form: { AppField } }: { form: FormLike }) => (
  <>
    <AppField name="label">
      {(f) => (
        <f.TextField
          label={t('For')}
          help={t('The person who receives the link.')}
          maxLength={100}
        />
      )}
    </AppField>
    <AppField name="days">{(f) => <f.SelectField label={t('Ends')} options={DAYS} />}</AppField>
  </>
)

/** A new link, shown once: only a digest of its token is stored. */
export const MadeLink = ({
  path,
  token,
  onClose,
}: {
  path: string
  token: string
  onClose: () => void
}) => (
  <TokenDialog
    title={t('Here is the link')}
    label={t('Link')}
    token={`${location.origin}${path}#${token}`}
    onClose={onClose}
  />
)
