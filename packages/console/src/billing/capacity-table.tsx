import { numberText, quote, registeredDevices, t } from '@switchroom/contract'
import { useId, useState } from 'react'
import { Button } from '../ui/button'
import { TableHead } from '../ui/table-head'
import sheet from './capacity-table.css?url'
import {
  type Line,
  priceOf,
  type Quantities,
  quantityIssue,
  quantityOf,
  tiersOf,
  totalOf,
} from './lines'
import { money } from './money'
import { enforcedText } from './sentence'

/** Service, capacity, price and cost, with the monthly total. */
export function CapacityTable({
  lines,
  quantities,
  ratio,
  onChange,
  readOnly = false,
  autoFocus = false,
}: {
  lines: Line[]
  quantities: Quantities
  ratio: number
  onChange: (quantities: Quantities) => void
  readOnly?: boolean
  autoFocus?: boolean
}) {
  const [hadDevices] = useState(quantities.device !== '0')
  const [addingDevices, setAddingDevices] = useState(false)
  const devices = lines.find(({ category }) => category === 'device')
  const sessions = lines.find(({ category }) => category === 'voice_call_session')
  const offersDevices = !!devices && !hadDevices && !addingDevices
  const sessionCount = sessions && quantityOf(sessions, quantities)
  const deviceCount = devices && quantityOf(devices, quantities)
  const capacity = !!sessionCount &&
    deviceCount !== undefined && { voice_call_session: sessionCount, device: deviceCount }
  const enforced = capacity ? enforcedText(ratio, capacity) : undefined
  const total = totalOf(lines, quantities)
  const currency = lines[0]?.price.currency
  return (
    <div className="capacity">
      {/* lists need none of it */}
      <link rel="stylesheet" href={sheet} precedence="page" />
      <table className="capacity-table">
        <TableHead of={[t('Service'), t('Capacity'), t('Price'), t('Cost')]} />
        <tbody>
          {lines
            .filter((line) => !(offersDevices && line === devices))
            .map((line) => (
              <Row
                key={line.category}
                line={line}
                quantities={quantities}
                onChange={onChange}
                readOnly={readOnly}
                autoFocus={line === devices ? addingDevices : autoFocus}
              />
            ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              {t('Total monthly cost')}
            </th>
            <td>
              <output aria-live="polite">
                {total === undefined ? '–' : money(total, currency)}
              </output>
            </td>
          </tr>
        </tfoot>
      </table>
      {capacity && (
        <div className="capacity-more">
          <p>
            {included(sessionCount, deviceCount ?? 0, registeredDevices('paid', ratio, capacity))}
          </p>
          {enforced && <p className="field-help">{enforced}</p>}
          {offersDevices && !readOnly && (
            <Button size="small" onClick={() => setAddingDevices(true)}>
              {t('Would you like to purchase additional device registrations?')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

/** How many devices can register, all together. */
const included = (sessions: number, added: number, devices: number) =>
  added
    ? t(
        'With {sessions} call sessions and {added} additional device registrations you can register {devices} concurrent devices',
        { sessions, added, devices },
      )
    : t('With {sessions} call sessions you can register {devices} concurrent devices', {
        sessions,
        devices,
      })

function Row({
  line,
  quantities,
  onChange,
  readOnly,
  autoFocus,
}: {
  line: Line
  quantities: Quantities
  onChange: (quantities: Quantities) => void
  readOnly: boolean
  autoFocus: boolean
}) {
  const id = useId()
  const quantity = quantityOf(line, quantities)
  const wrong = quantityIssue(line, quantities)
  const tiers = tiersOf(line, quantity)
  return (
    <tr>
      <th scope="row" id={id}>
        {line.label}
      </th>
      <td>
        <input
          className="input numbers"
          aria-labelledby={id}
          aria-describedby={`${id}-note`}
          aria-invalid={wrong ? true : undefined}
          inputMode="numeric"
          autoComplete="off"
          value={quantities[line.category]}
          readOnly={readOnly}
          // biome-ignore lint/a11y/noAutofocus: focus follows a click
          autoFocus={autoFocus}
          onChange={(e) => onChange({ ...quantities, [line.category]: e.target.value })}
        />
        <div id={`${id}-note`} className={wrong ? 'field-error' : 'field-help'}>
          {wrong ?? t('{min} to {max}', { min: line.min, max: numberText(line.max) })}
        </div>
      </td>
      <td data-label={t('Price')}>
        <div>{priceOf(line, quantity)}</div>
        {tiers && (
          <>
            <ul className="capacity-tiers">
              {tiers.tiers.map(({ range, rate }, i) => (
                <li key={range} aria-current={i === tiers.at || undefined}>
                  {range}: {rate}
                </li>
              ))}
            </ul>
            <div className="field-help">{tiers.explained}</div>
          </>
        )}
      </td>
      <td data-label={t('Cost')}>
        {quantity === undefined
          ? '–'
          : money(quote(line.price, quantity).cost, line.price.currency)}
      </td>
    </tr>
  )
}
