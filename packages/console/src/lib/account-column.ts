import { msg } from '@switchroom/contract'
import { ownAccount } from './access'
import type { Column } from './table'
import { thingCell } from './thing-link'

type Row = { account_sid: string | null; account_name: string | null }

/** The column with a row's account; none for users of a single account. */
export const accountColumn = <R extends Row>(more: Partial<Column<R>> = {}): Column<R>[] =>
  ownAccount()
    ? []
    : [
        {
          header: msg('Account'),
          cell: (row) => thingCell('account', row.account_sid, row.account_name),
          ...more,
        },
      ]
