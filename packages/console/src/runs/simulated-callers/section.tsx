import { numberText, type SimulatedCallerItem, t } from '@switchroom/contract'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { mayWrite } from '../../lib/access'
import { LoadError } from '../../lib/load-error'
import { PlainLink } from '../../lib/plain-link'
import { deleteAction, editAction, RowActions } from '../../lib/row-actions'
import { rowKeys } from '../../lib/row-keys'
import { Block } from '../../ui/block'
import { buttonClass } from '../../ui/button'
import { LoadingState } from '../../ui/states'
import { Status } from '../../ui/status'
import { TableHead } from '../../ui/table-head'
import { DeleteSimulatedCaller } from './delete'
import { OFFER_NAMES, OFFERS } from './offered'
import { addHref, callerHref, listOf } from './queries'
import sheet from './simulated-callers.css?url'
import '../../lib/table.css'

/** The simulated callers of an application, and those to begin with. */
export function SimulatedCallers({ application_sid }: { application_sid: string }) {
  const list = useQuery(listOf(application_sid))
  const [deleting, setDeleting] = useState<SimulatedCallerItem>()
  const callers = list.data?.data
  return (
    <Block
      title={t('Simulated callers')}
      action={
        mayWrite() && (
          <PlainLink href={addHref(application_sid)} className={buttonClass('plain', 'small')}>
            <Plus aria-hidden />
            {t('Add simulated caller')}
          </PlainLink>
        )
      }
    >
      <link rel="stylesheet" href={sheet} precedence="page" />
      {!callers ? (
        list.error ? (
          <LoadError error={list.error} retry={list.refetch} />
        ) : (
          <LoadingState text={t('Loading the simulated callers')} />
        )
      ) : callers.length === 0 ? (
        <None application_sid={application_sid} />
      ) : (
        <Callers callers={callers} onDelete={setDeleting} />
      )}
      {deleting && (
        <DeleteSimulatedCaller caller={deleting} onClose={() => setDeleting(undefined)} />
      )}
    </Block>
  )
}

const None = ({ application_sid }: { application_sid: string }) =>
  mayWrite() ? (
    <>
      <p className="block-empty">
        {t(
          'A language model of the account plays people who call, each with a goal of their own. Begin with one of these:',
        )}
      </p>
      <ul className="caller-offers">
        {OFFER_NAMES.map((name) => (
          <li key={name}>
            <PlainLink href={addHref(application_sid, name)}>{OFFERS[name].name}</PlainLink>
            <span>{OFFERS[name].goal}</span>
          </li>
        ))}
      </ul>
    </>
  ) : (
    <p className="block-empty">{t('No simulated callers.')}</p>
  )

const Callers = ({
  callers,
  onDelete,
}: {
  callers: readonly SimulatedCallerItem[]
  onDelete: (caller: SimulatedCallerItem) => void
}) => (
  <div className="table-box">
    <table className="table" aria-label={t('Simulated callers')}>
      <TableHead
        of={[
          t('Name'),
          { start: t('Goal'), className: 'caller-goal' },
          t('Goal reached'),
          mayWrite() && { hidden: t('Actions'), className: 'table-actions' },
        ]}
      />
      <tbody ref={rowKeys}>
        {callers.map((one) => (
          <tr key={one.simulated_caller_sid}>
            <td data-label={t('Name')}>
              <PlainLink href={callerHref(one)} className="table-link">
                {one.name}
              </PlainLink>
            </td>
            <td data-label={t('Goal')}>
              <span className="cut" dir="auto">
                {one.goal}
              </span>
            </td>
            <td data-label={t('Goal reached')}>
              <Reached of={one} />
            </td>
            {mayWrite() && (
              <td className="table-actions">
                <RowActions
                  actions={[
                    editAction(t('Edit simulated caller'), `${callerHref(one)}/edit`),
                    deleteAction(t('Delete simulated caller'), () => onDelete(one)),
                  ]}
                />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

function Reached({ of: { conversations, running, reached } }: { of: SimulatedCallerItem }) {
  if (conversations === 0) return <Status tone="off">{t('Never run')}</Status>
  if (running > 0) return <Status tone="info">{t('Running')}</Status>
  return (
    <span className="numbers">
      {t('{reached} of {total}', {
        ...{ reached: numberText(reached), total: numberText(conversations) },
      })}
    </span>
  )
}
