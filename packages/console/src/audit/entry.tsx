import { AUDIT_KINDS, type AuditEntry, actionText, t } from '@switchroom/contract'
import { scopeText } from '../lib/access'
import { PlainLink } from '../lib/plain-link'
import { historyHref, thingAt } from '../lib/thing-href'
import { AccountLink } from '../lib/thing-link'
import { Button } from '../ui/button'
import { Dialog, DialogFoot } from '../ui/dialog'
import { Fact, Facts } from '../ui/facts'
import { Sid } from '../ui/sid'
import { TableHead } from '../ui/table-head'
import { ExactTime } from '../ui/time'
import './entry.css'
import { useValueCells } from './names'
import { subjectOf } from './subject'
import { valueText } from './value-text'

/** One entry in full: each changed field before and after. */
export function Entry({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const { before, after } = entry
  const cell = useValueCells(entry.sid, before, after)
  const isHere = thingAt(location.pathname)?.sid === entry.sid
  const members = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter(
    (m) => valueText(before?.[m]) !== '' || valueText(after?.[m]) !== '',
  )
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`${actionText(entry)}: ${AUDIT_KINDS[entry.kind]} ${entry.name}`}
    >
      <Facts inline>
        <Fact name={t('Time')}>
          <ExactTime at={entry.at} />
        </Fact>
        <Fact name={t('Actor')}>
          {entry.actor} ({scopeText(entry.actor_scope)})
        </Fact>
        <Fact name={AUDIT_KINDS[entry.kind]}>{isHere ? entry.name : subjectOf(entry)}</Fact>
        {entry.account_sid && entry.kind !== 'account' && (
          <Fact name={t('Account')}>
            <AccountLink account_sid={entry.account_sid} />
          </Fact>
        )}
        <Fact name={t('IP address')}>{entry.ip ?? t('Hidden')}</Fact>
        <Fact name="SID">
          <Sid sid={entry.sid} />
        </Fact>
        <Fact name={t('Entry')}>
          {entry.undoes === null
            ? entry.seq
            : t('{entry}, which undid entry {undone}', { entry: entry.seq, undone: entry.undoes })}
        </Fact>
        <Fact name={t('Request ID')}>
          <Sid sid={entry.request_id} />
        </Fact>
      </Facts>
      {members.length > 0 && (
        <table className="audit-values">
          <TableHead of={[t('Field'), before && t('Before'), after && t('After')]} />
          <tbody>
            {members.map((m) => (
              <tr key={m}>
                <th scope="row">
                  <code>{m}</code>
                </th>
                {before && <td>{cell(before[m])}</td>}
                {after && <td>{cell(after[m])}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <DialogFoot>
        <PlainLink
          className="button button-quiet"
          href={historyHref(entry.kind, entry.sid, entry.at)}
        >
          {t('History')}
        </PlainLink>
        <Button onClick={onClose}>{t('Close')}</Button>
      </DialogFoot>
    </Dialog>
  )
}
