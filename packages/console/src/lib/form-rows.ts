import { flushSync } from 'react-dom'
import type { FormLike } from './form-like'

function rowsIn(form: FormLike, list: string): readonly unknown[] {
  const rows = form.getFieldValue(list)
  if (!Array.isArray(rows)) throw new Error(`${list} is no list`)
  return rows
}

/**
 * Reorders or removes rows of a list: `order` holds the old indices of those that stay. Fields are named by
 * index, and a field that is renamed loses its error, so errors are set again.
 */
function rearrange(form: FormLike, list: string, order: readonly number[]) {
  const prefix = `${list}[`
  const marks = Object.keys(form.fieldInfo).flatMap((name) => {
    const message = name.startsWith(prefix) && form.getFieldMeta(name)?.errorMap.onSubmit
    if (!message) return []
    const [place] = name.slice(prefix.length).split(']', 1)
    const tail = name.slice(prefix.length + place!.length)
    return [{ to: order.indexOf(Number(place)), tail, message }]
  })
  const rows = rowsIn(form, list)
  flushSync(() =>
    form.setFieldValue(
      list,
      order.map((i) => rows[i]),
    ),
  )
  for (const { to, tail, message } of marks)
    if (to >= 0)
      form.setFieldMeta(`${prefix}${to}${tail}`, (meta) => ({
        ...meta,
        errorMap: { ...meta.errorMap, onSubmit: message },
      }))
}

const indices = (rows: readonly unknown[]) => rows.map((_, i) => i)

export function moveRow(form: FormLike, list: string, from: number, to: number) {
  const rest = indices(rowsIn(form, list)).toSpliced(from, 1)
  rearrange(form, list, rest.toSpliced(to, 0, from))
}

export const removeRow = (form: FormLike, list: string, index: number) =>
  rearrange(form, list, indices(rowsIn(form, list)).toSpliced(index, 1))
